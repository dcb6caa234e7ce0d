import { readFileSync } from 'node:fs'
import { html } from './html/markup.ts'

/** The files of the page of a session, by their paths on the port of a service. */
export interface LivePageFile {
  readonly type: string
  readonly text: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Scripts, styles and the stream come from the page's own port, and nothing else does. No script or style stands in the page. */
const POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:', "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ')
const HEADERS = [['content-security-policy', POLICY], ['referrer-policy', 'no-referrer'], ['cache-control', 'no-store']] as const

const asset = (name: string): string => readFileSync(new URL(`../../src/report/html/${name}`, import.meta.url), 'utf8')

/** The page of a session of a service. It holds nothing of the session: what it shows comes over the stream, to who has the token. */
export function livePage(title: string): Readonly<Record<string, LivePageFile>> {
  return {
    '/': { type: 'text/html; charset=utf-8', text: documentText(title), headers: HEADERS },
    '/live.js': { type: 'text/javascript; charset=utf-8', text: asset('live.js'), headers: HEADERS },
    '/live.css': { type: 'text/css; charset=utf-8', text: asset('page.css') + asset('live.css'), headers: HEADERS },
  }
}

const documentText = (title: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="parlor">
<title>${title} · Live · parlor</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/live.css">
<script src="/live.js" defer></script>
</head>
<body class="live">
<a class="skip" href="#requests">Skip to the requests</a>
<header class="head">
<p class="kind">Live session</p>
<h1>${title}</h1>
<dl class="facts">
<div><dt>time of the session, UTC</dt><dd id="clock">–</dd></div>
<div><dt>time follows</dt><dd id="pace">–</dd></div>
<div><dt>this page</dt><dd id="link" role="status">opens</dd></div>
<div><dt>the service</dt><dd><a href="/reference">calls and frames</a></dd></div>
</dl>
<noscript><p class="bad">The page needs its script, which comes from this port.</p></noscript>
<p id="notice" class="bad" role="alert" hidden></p>
</header>
<main id="main">
<div class="pair">
<section id="requests" aria-labelledby="requests-title" tabindex="-1">
<div class="bar"><h2 id="requests-title">Requests</h2><button id="hold" type="button" aria-pressed="false">Hold the list</button></div>
<div class="scroll full"><table>
<caption class="hidden">Requests, the newest first</caption>
<thead><tr><th scope="col">came</th><th scope="col" class="extra">from</th><th scope="col" class="number">USDC</th><th scope="col" class="number extra">makers</th><th scope="col" class="number">best</th><th scope="col">state</th><th scope="col" class="fine">legs</th></tr></thead>
<tbody></tbody>
</table></div>
<p class="none empty">No request yet.</p>
</section>
<section id="book" aria-labelledby="book-title">
<h2 id="book-title">Book of a request</h2>
<p class="none empty">Choose a request to see its quotes.</p>
<div id="book-body" hidden>
<dl class="facts">
<div><dt>from</dt><dd id="book-owner"></dd></div>
<div><dt id="book-amount-name">bet, USDC</dt><dd id="book-amount"></dd></div>
<div><dt>state</dt><dd id="book-state"></dd></div>
<div><dt>open until</dt><dd id="book-until"></dd></div>
<div><dt>id</dt><dd><code id="book-id"></code></dd></div>
</dl>
<ul class="legs" id="book-legs"></ul>
<div class="scroll full"><table>
<caption class="hidden">Offers of makers, the best first</caption>
<thead><tr><th scope="col">maker</th><th scope="col" class="number" id="book-offer-name">odds</th><th scope="col" class="number">risk, USDC</th><th scope="col">until</th><th scope="col">state</th></tr></thead>
<tbody></tbody>
</table></div>
<p class="none empty">No maker has made an offer yet.</p>
</div>
</section>
</div>
<section id="makers" aria-labelledby="makers-title">
<h2 id="makers-title">Makers</h2>
<div class="scroll full"><table>
<caption class="hidden">Makers with their money, USDC</caption>
<thead><tr><th scope="col">maker</th><th scope="col" class="number">profit</th><th scope="col" class="number">in open positions</th><th scope="col" class="number">free</th><th scope="col" class="number">locked</th><th scope="col" class="number extra">backs</th><th scope="col" class="number extra">holds</th></tr></thead>
<tbody></tbody>
</table></div>
<p class="note">Money is USDC. Profit is all that a maker has, with its open positions at the reference, which is the product of the prices of their legs, less what was paid in. A position without a price counts at what it cost.</p>
</section>
<section id="positions" aria-labelledby="positions-title">
<h2 id="positions-title">Open positions <small id="position-count"></small></h2>
<div class="scroll full"><table>
<caption class="hidden">Open positions, the newest first</caption>
<thead><tr><th scope="col" class="number">no.</th><th scope="col" class="extra">holder</th><th scope="col">backer</th><th scope="col" class="number">stake</th><th scope="col" class="number">pays</th><th scope="col" class="number">reference</th><th scope="col" class="fine">legs</th></tr></thead>
<tbody></tbody>
</table></div>
<p class="none empty">No open position.</p>
</section>
</main>
<footer class="foot"><p>For whoever runs the session: it shows what makers and bettors do not see of each other. Looking changes nothing in the session.</p></footer>
</body>
</html>
`.text
