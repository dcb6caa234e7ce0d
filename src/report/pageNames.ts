import { html, type Markup } from './html/markup.ts'
import { swatch } from './html/palette.ts'
import type { PageMaker } from './pageService.ts'

/** A maker by its name, behind the line and the mark that it has in pictures. */
export const namedMaker = ({ name, look }: PageMaker): Markup => html`${swatch(look)} ${name}`

/** The command that plays the run again with one thing changed. */
export const whatIf = (setting: string): Markup => html`<code>parlor whatif RUN --set ${setting}</code>`
