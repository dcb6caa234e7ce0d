/** Text that is HTML already. Everything else that gets into `html` is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** What may stand in a template: nothing, text, numbers, markup, or lists of these. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** A template of HTML. Contents are escaped, in text and in quoted attributes, unless they are markup. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0]!
  for (const [i, content] of contents.entries()) text += textOf(content) + parts[i + 1]!
  return new Markup(text)
}

/** Contents one after the other. */
export const join = (contents: readonly Content[]): Markup => new Markup(contents.map(textOf).join(''))

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escapeText(String(content))
}

/** A value as JSON that can stand inside of a script element: no `<` ends it early. */
export const jsonText = (value: unknown): Markup => new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'))
