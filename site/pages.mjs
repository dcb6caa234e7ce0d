import { readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const DOCS = fileURLToPath(new URL('../docs', import.meta.url))

/** The address of the repository, as the package says it; undefined as long as the package says none. */
export const REPOSITORY = (() => {
  const { repository } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(repository?.url ?? repository ?? '')?.[1]
})()

/** Every page of docs, by its path from there, in alphabetical order. */
export const PAGES = readdirSync(DOCS, { recursive: true }).map((path) => path.replaceAll('\\', '/')).filter((path) => path.endsWith('.md')).sort()

const textOf = (page) => readFileSync(`${DOCS}/${page}`, 'utf8')

/** A README is the front page of its folder. This is the path that pages have on the site, and in links there. */
export const pathOnSite = (page) => page.replace(/(^|\/)README(?=\.md(?:#|$))/, '$1index')

/** Where a page is on the site. */
export const addressOf = (page) => `/${pathOnSite(page).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`

/** The other pages of the folder of a README, by their headings. */
const besides = (page) => (page.includes('/') && pathOnSite(page) !== page ? PAGES.filter((one) => one !== page && dirname(one) === dirname(page)) : [])
  .map((one) => ({ text: /^# (.*)$/m.exec(textOf(one))[1].replaceAll('`', ''), link: addressOf(one) }))

/** An entry of a list. What lies beside a folder's own README is folded below it. */
const entry = ([, text, page]) => {
  const items = besides(page)
  return { text, link: addressOf(page), ...(items.length === 0 ? {} : { items, collapsed: true }) }
}

/** The groups of a text, one for each heading of a level: their entries, then the groups within them. */
const groups = (text, level) => text.split(new RegExp(`^${'#'.repeat(level)} `, 'm')).slice(1).map((group) => ({
  text: group.split('\n')[0].trim(),
  collapsed: false,
  items: [...group.split(/^#/m)[0].matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)/gm)].map(entry).concat(groups(group, level + 1)),
}))

/** The sidebar, which is what docs/README.md lists. */
export const SIDEBAR = groups(textOf('README.md'), 2)

const firstLink = ({ link, items }) => link ?? firstLink(items[0])

/** Where the first page below a heading of docs/README.md is. */
export function firstPageOf(heading) {
  const group = SIDEBAR.find(({ text }) => text === heading)
  if (group === undefined) throw new Error(`docs/README.md has no heading ${heading}`)
  return firstLink(group)
}
