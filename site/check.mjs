// Looks at the site that `npm run build` has left in dist: links, sidebar, search, and that nothing is asked of another host.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { createMarkdownRenderer } from 'vitepress'
import { markdownOfDocs, slug, target } from './markdown.mjs'
import { DOCS, PAGES, addressOf, pathOnSite } from './pages.mjs'

const DIST = fileURLToPath(new URL('dist', import.meta.url))
const FILES = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(DIST.length).replaceAll('\\', '/')).sort()
/** Text in pages is escaped, so that a `<` begins a tag, but for scripts. */
const TAG = /<([a-z][\w-]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi
const unescaped = (text) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

function tagsOf(html) {
  return [...html.replaceAll(/(<script\b[^>]*>)[^]*?<\/script>/g, '$1').matchAll(TAG)].map(([, name, attributes]) => ({
    name, ...Object.fromEntries([...attributes.matchAll(/([^\s=]+)="([^"]*)"/g)].map(([, key, value]) => [key, unescaped(value)])),
  }))
}

const HTML = new Map(FILES.filter((file) => file.endsWith('.html') && file !== '/404.html').map((file) => {
  const text = readFileSync(join(DIST, file), 'utf8')
  const tags = tagsOf(text)
  return [file, { text, tags, ids: new Set(tags.flatMap(({ id }) => (id === undefined ? [] : [id]))) }]
}))

const isOutside = (address) => /^(?:[a-z]+:)?\/\//i.test(address)
const fileOf = (path) => (path.endsWith('/') ? `${path}index.html` : path)

test('each page of docs has a page of the site, and no other', () => {
  assert.ok(PAGES.length > 50)
  assert.deepEqual([...HTML.keys()].sort(), PAGES.map((page) => fileOf(addressOf(page))).sort())
})

test('each link has its file and its anchor', () => {
  let links = 0
  const broken = [...HTML].flatMap(([file, { tags }]) => tags.flatMap(({ name, href, src }) => [href, src].filter((to) => to !== undefined && !isOutside(to) && !/^(?:data|mailto):/.test(to)).flatMap((to) => {
    links++
    const { pathname, hash } = new URL(to, `http://site${file}`)
    const path = fileOf(decodeURIComponent(pathname))
    if (!existsSync(join(DIST, path))) return [`${file} <${name}> ${to}: no such file`]
    if (hash === '' || !path.endsWith('.html')) return []
    return HTML.get(path)?.ids.has(decodeURIComponent(hash.slice(1))) ? [] : [`${file} <${name}> ${to}: no such anchor`]
  })))
  assert.deepEqual(broken, [])
  assert.ok(links > 10_000, `${links} links`)
})

test('each page is in the sidebar', () => {
  for (const [file, { text }] of HTML) {
    const aside = /<aside class="VPSidebar"[^]*?<\/aside>/.exec(text)?.[0] ?? ''
    const listed = tagsOf(aside).flatMap(({ href }) => (href === undefined ? [] : [fileOf(href)]))
    // The front page stands behind the name of the site.
    assert.deepEqual([...new Set(listed)].sort(), [...HTML.keys()].filter((one) => one !== '/index.html').sort(), file)
    assert.equal(listed.length, new Set(listed).size, `${file}: a page is listed twice`)
  }
})

test('the search knows the words of the pages', async () => {
  const chunk = FILES.filter((file) => /localSearchIndex.*\.js$/.test(file))
  assert.equal(chunk.length, 1)
  const { default: index } = await import(pathToFileURL(join(DIST, chunk[0])).href)
  const search = MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })
  const found = (words) => new Set(search.search(words, { combineWith: 'AND', boost: { title: 4, titles: 1 } }).map(({ id }) => id.split('#')[0]))
  for (const [words, page] of [['maker with a last look', '/tutorial.html'], ['worst joint loss', '/performance.html'], ['OM-265', '/conformance/rules-outcome.html'], ['fakeMaker', '/api.html'], ['positions payoutMicros', '/tables.html'], ['gallery', '/pictures/']]) {
    assert.ok(found(words).has(page), `${words}: ${[...found(words)].join(' ')}`)
  }
  assert.equal(found('zygomorphic').size, 0)
  const indexed = new Set(search.search(MiniSearch.wildcard).map(({ id }) => fileOf(id.split('#')[0])))
  assert.deepEqual([...indexed].sort(), [...HTML.keys()].sort())
})

test('nothing is loaded from another host', () => {
  const loaded = [...HTML].flatMap(([file, { tags }]) => tags.filter(({ name }) => name !== 'a').flatMap(({ href, src, srcset }) => [href, src, srcset].filter((to) => to !== undefined && isOutside(to)).map((to) => `${file} ${to}`)))
  assert.deepEqual(loaded, [])
  const styles = FILES.filter((file) => file.endsWith('.css')).map((file) => readFileSync(join(DIST, file), 'utf8'))
  assert.ok(styles.length > 0)
  assert.deepEqual(styles.flatMap((text) => [...text.matchAll(/(?:url\(|@import)\s*["']?(?:https?:)?\/\/[^)]*/g)].map(([one]) => one)), [])
  assert.deepEqual(FILES.filter((file) => /\.(?:woff2?|ttf|otf|eot)$/.test(file)), [])
})

test('what looks like markup is text, and links lead where the site has them', async () => {
  const page = join(DOCS, 'decisions/README.md')
  const md = await createMarkdownRenderer(DOCS, { anchor: { slugify: slug }, config: (one) => one.use(markdownOfDocs, { docs: DOCS, repository: undefined }) })
  const html = md.render('A <name>, {{ sum }}, a<br>b, <a id="A1"></a>[s](../../src/index.ts) [t](../tutorial.md#x) [n](../notes/README.md) <!-- not seen -->\n\n## `<b>` a_b, c\n\n<div onclick="x">', { path: page, relativePath: pathOnSite('decisions/README.md'), cleanUrls: false })
  assert.match(html, /A &lt;name&gt;, &#123;&#123; sum }}, a<br>b, <a id="A1"><\/a>s <a href="(?:\.\/)?\.\.\/tutorial\.html#x">t<\/a> <a href="(?:\.\/)?\.\.\/notes\/(?:index\.html)?">n<\/a>/)
  assert.match(html, /<h2 id="b-a_b-c"/)
  assert.match(html, /&lt;div onclick=&quot;x&quot;&gt;/)
  assert.doesNotMatch(html, /not seen/)
  const where = { docs: DOCS, page, repository: 'https://host/owner/parlor' }
  assert.equal(target('../../scenarios/wire.yaml#L3', where), 'https://host/owner/parlor/blob/HEAD/scenarios/wire.yaml#L3')
  assert.equal(target('../pictures/live.png', where), 'https://host/owner/parlor/blob/HEAD/docs/pictures/live.png')
  assert.equal(target('https://host/x', { ...where, repository: undefined }), 'https://host/x')
})
