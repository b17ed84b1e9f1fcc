import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('ARCHITECTURE.md', 'utf8')

test('every file and folder that ARCHITECTURE.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|hsms|gateway|gem|store|api|kit|test)\/[\w./-]+)`/g)].map(
    ([, name]) => name as string,
  )
  const isThere = (name: string): boolean =>
    ['', '.ts'].some((ending) => [name, `src/${name}`].some((path) => existsSync(`${path}${ending}`)))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !isThere(name))).toEqual([])
})
