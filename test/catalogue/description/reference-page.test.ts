import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NOTATION, referencePage } from '../../../src/catalogue/description/reference-page.js'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'

const page = referencePage(STANDARD_CATALOGUE)

test('docs/messages.md has the notation of the page, and counts as it does', () => {
  const short = readFileSync('docs/messages.md', 'utf8')
  expect(short).toContain(NOTATION)
  const { messages, items } = STANDARD_CATALOGUE
  const functions = new Set(messages.map((row) => `S${row.stream}F${row.function}`))
  const streams = new Set(messages.map(({ stream }) => stream))
  expect(short).toContain(
    `${functions.size} functions of ${streams.size} streams and ${items.length} data items`,
  )
})

test('every message and every data item has a heading, and every link leads to one', () => {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text)
  const anchors = new Set(headings.map((text) => text.toLowerCase().replaceAll(' ', '-')))
  expect(anchors.size).toBe(headings.length)
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.length).toBeGreaterThan(2_000)
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([])
  const wanted = [
    ...STANDARD_CATALOGUE.messages.map((row) => `S${row.stream}F${row.function}`),
    ...STANDARD_CATALOGUE.items.map(({ name }) => name),
  ]
  expect(wanted.filter((name) => !headings.includes(name))).toEqual([])
})

test('a message shows its ways, structure, items and sources', () => {
  const section = page.slice(page.indexOf('### S1F14\n'), page.indexOf('### S1F15\n'))
  expect(section).toContain('Host to equipment, in reply to [S1F13](#s1f13). <sub>[secsgem](#sources)')
  expect(section).toContain('```text\n<L <COMMACK> <L? <MDLN> <SOFTREV>>>\n```')
  expect(section).toContain('- [COMMACK](#commack): ')
})

test('a code shows its values, those that mean accepted in bold', () => {
  const section = page.slice(page.indexOf('### HCACK\n'), page.indexOf('### HOACK\n'))
  expect(section).toContain('In [S2F42](#s2f42), [S2F50](#s2f50).')
  expect(section).toContain('| 2 | cannot perform now |')
  expect(section).toContain('| 4 | **will finish later, with an event** |')
})

test('the page is small enough for GitHub to show whole', () => {
  expect(Buffer.byteLength(page)).toBeLessThan(400_000)
})
