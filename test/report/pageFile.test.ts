import { mkdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writePage } from '../../src/report/pageFile.ts'
import { written } from '../feed/writtenFiles.ts'

const PAGE = '<!doctype html>\n<p>new'

test('a page is written where there is nothing, over nothing in it and over another page', () => {
  const folder = written({ 'empty.html': '', 'old.html': '<!DOCTYPE html><p>old' })
  for (const name of ['new.html', 'empty.html', 'old.html']) {
    writePage(`${folder}/${name}`, PAGE)
    expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(PAGE)
  }
})

test('a page is written over nothing else: it may be a file of a result', () => {
  const folder = written({ 'manifest.json': '{"digest":"x"}', short: '<!doc' })
  for (const name of ['manifest.json', 'short']) {
    const before = readFileSync(`${folder}/${name}`, 'utf8')
    expect(() => writePage(`${folder}/${name}`, PAGE)).toThrow('there is something here that is no page')
    expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(before)
  }
  mkdirSync(`${folder}/inside`)
  expect(() => writePage(`${folder}/inside`, PAGE)).toThrow()
})
