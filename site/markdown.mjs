import { dirname, join, relative, sep } from 'node:path'
import { pathOnSite } from './pages.mjs'

/** Markup that pages use, and GitHub shows as such. All else that looks like a tag is text: `<name>`. */
const MARKUP = /^(?:<a id="[\w.-]+">|<\/a>|<br>)$/

const COMMENT = /<!--[^]*?-->\s*/g

/** How GitHub names a heading in a link, as test/docs/texts.ts does. */
export const slug = (heading) => heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')

/**
 * Where a link of a page leads on the site. A link out of docs leads into the repository, or to nothing where its address is not known.
 * @param {string} href as the page has it
 * @param {{ docs: string, page: string, repository: string | undefined }} where absolute paths of the folder and the page, and the repository's address
 * @returns {string | undefined}
 */
export function target(href, { docs, page, repository }) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = relative(docs, join(dirname(page), decodeURIComponent(path))).split(sep).join('/')
  // What is no page of docs, such as a picture, is no file of the site under its own name.
  if (!file.startsWith('../') && file.endsWith('.md')) return pathOnSite(href)
  if (repository === undefined) return undefined
  const inRepository = join('docs', file).split(sep).join('/')
  return `${repository}/blob/HEAD/${inRepository}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Takes what Vue would read as markup for text, and leads links to where the site has them. */
export function markdownOfDocs(md, { docs, repository }) {
  const asText = (token, Token) => {
    const text = new Token('text', '', 0)
    text.content = token.content
    return text
  }

  md.core.ruler.push('docs', ({ tokens, env, Token }) => {
    for (const block of tokens) {
      if (block.type === 'html_block') block.content = block.content.replaceAll(COMMENT, '').replaceAll(/<[^>]*>?/g, (tag) => (MARKUP.test(tag) ? tag : md.utils.escapeHtml(tag)))
      if (block.type !== 'inline') continue
      let leadsNowhere = false
      block.children = block.children.flatMap((token) => {
        if (token.type === 'html_inline') return token.meta?.isPermalinkSymbol || MARKUP.test(token.content) ? [token] : token.content.startsWith('<!--') ? [] : [asText(token, Token)]
        if (token.type === 'link_open') {
          const href = target(token.attrGet('href'), { docs, page: env.path, repository })
          leadsNowhere = href === undefined
          if (leadsNowhere) return []
          token.attrSet('href', href)
        }
        if (token.type === 'link_close' && leadsNowhere) {
          leadsNowhere = false
          return []
        }
        return [token]
      })
    }
  })

  md.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  md.renderer.rules.table_close = () => '</table></div>\n'

  const plain = md.renderer.rules.text
  md.renderer.rules.text = (...all) => plain(...all).replaceAll('{{', '&#123;&#123;')
}
