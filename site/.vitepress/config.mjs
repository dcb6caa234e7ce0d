import { defineConfig } from 'vitepress'
import { markdownOfDocs, slug } from '../markdown.mjs'
import { DOCS, REPOSITORY, SIDEBAR, firstPageOf, pathOnSite } from '../pages.mjs'

/** Pages lie outside of this folder and find no package above them, so that Vite would put vue into the bundle that draws them. */
const vueOfTheSite = {
  name: 'vue-of-the-site',
  enforce: 'pre',
  resolveId: (id, importer, { ssr }) => (ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : undefined),
}

export default defineConfig({
  title: 'parlor',
  description: 'Deterministic backtester and market simulator for RFQ markets',
  lang: 'en',
  srcDir: DOCS,
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  rewrites: pathOnSite,
  ignoreDeadLinks: false,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: slug },
    config: (md) => md.use(markdownOfDocs, { docs: DOCS, repository: REPOSITORY }),
  },
  vite: { plugins: [vueOfTheSite], build: { chunkSizeWarningLimit: 4096 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: SIDEBAR,
    nav: [['Tutorial', 'Begin'], ['Guides', 'Guides'], ['Reference', 'Reference'], ['Decisions', 'Decisions'], ['Gallery', 'Gallery']]
      .map(([text, heading]) => ({ text, link: firstPageOf(heading) })),
    ...(REPOSITORY === undefined ? {} : { socialLinks: [{ icon: 'github', link: REPOSITORY }] }),
  },
})
