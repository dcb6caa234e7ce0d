import { pageDocument } from './html/document.ts'
import { plural, UNKNOWN, whole, withMinus } from './html/format.ts'
import { type Content, html, type Markup } from './html/markup.ts'
import { isoOfTimeUs } from '../unit/time.ts'
import type { ListedResult } from './resultList.ts'

/** Where the page of a result is, on the server that shows the list. */
export const resultUrl = (name: string): string => `/result/${encodeURIComponent(name)}`

/** The results of a folder as a page: searched and sorted by its script, and two runs chosen to compare. @param folder what the folder is called */
export function listPage(folder: string, results: readonly ListedResult[]): string {
  const runs = results.filter(({ kind, isDamaged }) => kind === 'run' && !isDamaged)
  const body = results.length === 0
    ? html`<p>No result lies here. <code>parlor run scenarios/quickstart.yaml</code> leaves one in <code>runs</code>.</p>`
    : html`<p class="controls"><label hidden>Search <input type="search" id="search" autocomplete="off"></label> <output id="shown" hidden></output>
${runs.length > 1 && html`<a id="compare" href="/compare" hidden>Compare A and B</a>`}</p>
<div class="scroll full" role="region" tabindex="0" aria-label="Results"><table id="list">
<caption class="hidden">Results, the newest first</caption>
<thead><tr>${HEADS.map(([name, sorts]) => html`<th scope="col"${sorts && html` data-sorts`}>${name}</th>`)}</tr></thead>
<tbody>
${results.map(row)}</tbody>
</table></div>`
  return pageDocument({
    kind: 'Results', title: folder, lead: html`<p class="lead">${plural(results.length, 'result')}, the newest first.</p>`, series: {}, isStill: true, scripts: ['list.js'],
    sections: [{ id: 'results', title: 'Results', body }],
    foot: html`<p>Times are UTC, by the clock of the disk. Made by parlor from the files of the results.</p>`,
  })
}

const HEADS: readonly (readonly [name: string, sorts: boolean])[] = [['A', false], ['B', false], ['result', true], ['kind', true], ['made', true], ['seed', true], ['digest', true], ['what it says', false]]

function row({ name, kind, madeMs, seed, digest, says, isDamaged }: ListedResult): Markup {
  const isRun = kind === 'run' && !isDamaged
  const pick = (side: 'a' | 'b'): Content => (isRun ? html`<input type="radio" name="${side}" value="${name}" aria-label="${name} as ${side.toUpperCase()}">` : null)
  return html`<tr><td>${pick('a')}</td><td>${pick('b')}</td><th scope="row">${isDamaged ? name : html`<a href="${resultUrl(name)}">${name}</a>`}</th><td>${kind}</td>
<td data-value="${whole(Math.round(madeMs)).replaceAll(',', '')}">${isoOfTimeUs(Math.round(madeMs) * 1000).slice(0, 16).replace('T', ' ')}</td><td>${seed ?? UNKNOWN}</td><td>${digest === null ? UNKNOWN : html`<code title="${digest}">${digest.slice(0, 12)}</code>`}</td>
<td class="says">${isDamaged ? html`<span class="bad">${says}</span>` : withMinus(says)}</td></tr>
`
}
