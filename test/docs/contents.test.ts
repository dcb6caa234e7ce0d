import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { PAGES, pageOf } from './texts.ts'

it('docs/README.md lists each page of docs once, or the README of its folder', () => {
  const pages = PAGES.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
  const folders = pages.filter((path) => posix.basename(path) === 'README.md').map((path) => posix.dirname(path))
  const listed = [...pageOf('docs/README.md').text.matchAll(/^- \[[^\]]+\]\(([^)#]+\.md)\)/gm)].map(([, page]) => `docs/${page!}`)
  expect(folders.sort()).toEqual(['docs/decisions', 'docs/notes', 'docs/pictures'])
  expect(listed.sort()).toEqual(pages.filter((path) => posix.basename(path) === 'README.md' || !folders.includes(posix.dirname(path))).sort())
})
