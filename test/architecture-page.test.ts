import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync('ARCHITECTURE.md', 'utf8')
const decisions = readdirSync('docs/decisions').map((name) =>
  readFileSync(join('docs/decisions', name), 'utf8'),
)
const pages = [page, readFileSync('docs/extend.md', 'utf8'), ...decisions].join('\n')

test('ARCHITECTURE.md stays short: what a newcomer needs first', () => {
  expect(page.split(/\s+/).length).toBeLessThan(2500)
})

test('every file and folder that ARCHITECTURE.md, Extend and the decisions name is there', () => {
  const named = [...pages.matchAll(/`((?:src|hsms|gateway|gem|store|api|kit|test)\/[\w./-]+)`/g)].map(
    ([, name]) => name as string,
  )
  const isThere = (name: string): boolean =>
    ['', '.ts'].some((ending) => [name, `src/${name}`].some((path) => existsSync(`${path}${ending}`)))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !isThere(name))).toEqual([])
})
