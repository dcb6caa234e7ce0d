import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join as joinPath } from 'node:path'
import { type Content, html, jsonText, Markup } from './markup.ts'

/** A part of a page that the list of contents names. */
export interface Section {
  /** Unique on the page. */
  readonly id: string
  readonly title: string
  readonly body: Content
  readonly parts?: readonly Section[]
}

export interface PageParts {
  readonly title: string
  /** What kind of page it is, above the title. */
  readonly kind: string
  /** Under the title. */
  readonly lead: Content
  readonly sections: readonly Section[]
  /** Long series by name, as the page's script draws them. */
  readonly series: Readonly<Record<string, unknown>>
  /** Whether it has neither pictures nor tables to look into. */
  readonly isStill?: boolean
  /** Scripts of its own, files beside this one. */
  readonly scripts?: readonly string[]
  /** What stands at the end of the page. */
  readonly foot: Content
}

/** The stylesheet and the script of a page lie beside the sources, also for the bundle. */
const asset = (name: string): string => readFileSync(new URL(`../../../src/report/html/${name}`, import.meta.url), 'utf8')

function uPlotFile(name: string): string {
  const main = createRequire(import.meta.url).resolve('uplot')
  return readFileSync(joinPath(dirname(main), name), 'utf8')
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * A page as one file. It makes no requests, allows scripts and styles by their hashes alone (CSP level 2), and has its data as JSON in an
 * element that is no script. Without scripts everything is there except the pictures of long series, whose
 * tables remain: pictures say their values by the browser's own means, and tables stand as they were written.
 */
export function pageDocument({ title, kind, lead, sections, series, scripts: own = [], isStill = false, foot }: PageParts): string {
  const hasSeries = Object.keys(series).length > 0
  const parts = sections.map((section) => sectionMarkup(section, 2))
  const hasTime = parts.some(({ text }) => text.includes(' data-time="'))
  const styles = [...(hasSeries ? [uPlotFile('uPlot.min.css')] : []), asset('page.css')]
  const scripts = [...(hasSeries ? [uPlotFile('uPlot.iife.min.js'), asset('page.js')] : []), ...(isStill ? [] : ['marks.js', 'tables.js'].map(asset)), ...(hasTime ? [asset('zoom.js')] : []), ...own.map(asset)]
  const policy = [
    "default-src 'none'", `style-src ${styles.map(hashOf).join(' ')}`, ...(scripts.length === 0 ? [] : [`script-src ${scripts.map(hashOf).join(' ')}`]),
    "base-uri 'none'", "form-action 'none'",
  ].join('; ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="parlor">
<title>${title} · ${kind} · parlor</title>
${styles.map((text) => html`<style>${new Markup(text)}</style>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="head">
<p class="kind">${kind}</p>
<h1>${title}</h1>
${lead}
</header>
<nav class="contents" aria-label="Contents">
<ol>${sections.map(entry)}</ol>
</nav>
<main id="main" tabindex="-1">
${parts}</main>
<footer class="foot">${foot}</footer>
${hasSeries && html`<script type="application/json" id="series">${jsonText(series)}</script>\n`}${scripts.map((text) => html`<script>${new Markup(text)}</script>\n`)}</body>
</html>
`.text
}

const entry = ({ id, title, parts = [] }: Section): Markup =>
  html`<li><a href="#${id}">${title}</a>${parts.length > 0 && html`<ol>${parts.map(entry)}</ol>`}</li>`

function sectionMarkup({ id, title, body, parts = [] }: Section, level: number): Markup {
  const heading = new Markup(`h${level}`)
  return html`<section id="${id}" aria-labelledby="${id}-title">
<${heading} id="${id}-title">${title}</${heading}>
${body}
${parts.map((part) => sectionMarkup(part, level + 1))}</section>
`
}
