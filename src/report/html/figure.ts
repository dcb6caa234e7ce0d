import { type Content, html, type Markup } from './markup.ts'

/** Rows under heads. The first cell of a row is its head. */
export interface DataTable {
  readonly caption: string
  readonly head: readonly Content[]
  readonly rows: readonly (readonly Content[])[]
  /** Columns of text, by index from 0. The others are numbers and aligned to the right. The first is always text. */
  readonly text?: readonly number[]
  /** Whether the order of its rows means something, so that nothing sorts it. */
  readonly isFixed?: boolean
}

export interface FigureParts {
  readonly id: string
  readonly title: string
  /** Under the title: units, what is left out, how to read it. */
  readonly note?: Content
  readonly picture: Content
  readonly table: DataTable
  /** Whether the figure is as wide as the page. */
  readonly isWide?: boolean
}

/** A picture with its title, and its numbers as a table that opens. */
export function figure({ id, title, note, picture, table, isWide = false }: FigureParts): Markup {
  return html`<figure id="${id}"${isWide && html` class="wide"`}>
<figcaption><b>${title}</b>${note !== undefined && html` <span>${note}</span>`}</figcaption>
${picture}
<details><summary>Numbers<span class="hidden"> of ${title}</span></summary>
${tableMarkup(table)}
</details>
</figure>
`
}

/** A table that scrolls sideways where it is wider than the page, by keys too. */
export function tableMarkup({ caption, head, rows, text = [], isFixed = false }: DataTable): Markup {
  const kind = (column: number): Content => column > 0 && !text.includes(column) && html` class="number"`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table${isFixed && html` data-fixed`}>
<caption class="hidden">${caption}</caption>
<thead><tr>${head.map((cell, i) => html`<th scope="col"${kind(i)}>${cell}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kind(i)}>${cell}</td>`))}</tr>\n`)}</tbody>
</table></div>`
}

/** Names with their values, in a row that breaks. */
export const facts = (pairs: readonly (readonly [string, Content])[], kind = 'facts'): Markup =>
  html`<dl class="${kind}">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** Pictures side by side where there is room. */
export const figures = (...list: readonly Content[]): Markup => html`<div class="figures">${list}</div>`

/** Pictures of different heights, one under the other in two columns where there is room. */
export const stack = (...list: readonly Content[]): Markup => html`<div class="stack">${list}</div>`
