import { expect, test } from 'vitest'
import { monthsOf, runSideBySide } from './side-by-side.js'

test('a year is twelve months, each with a seed of its own', () => {
  const months = monthsOf(2028, 7)
  expect(months.map(({ seed }) => seed)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])
  expect(months.map(({ days }) => days).join()).toBe('31,29,31,30,31,30,31,31,30,31,30,31')
  expect([months[0]?.from, months[11]?.from]).toEqual(['2028-01-01', '2028-12-01'])
})

/** A program that prints what a simulation prints; the one with seed 2 ends with a sentence that does not hold. */
const PROGRAM = `
  const given = process.argv.slice(1)
  const seed = Number(given[given.indexOf('--seed') + 1])
  console.log(given.join(' ') + ': ' + 1000 * seed + ' steps until now')
  console.log('fault: one 3\\nfault: other 4\\nreports acknowledged 50')
  if (seed === 2) console.log('at step 2000: it did not hold')
  console.log('1.5 s of the processor: made-up time passed 90 times as fast')
  process.exit(seed === 2 ? 1 : 0)
`

test('several simulations have a row each, and one that fails its whole report', async () => {
  const lines: string[] = []
  const runs = [1, 2, 3].map((seed) => ({ seed, days: 31, from: '2028-01-01' }))
  const around = { print: (text: string) => void lines.push(text), signal: new AbortController().signal }
  const program = ['-e', PROGRAM, '--', '--pace', '60']
  expect(await runSideBySide(runs, program, around)).toBe(false)
  const rows = lines.map((line) => line.split(/\s{2,}/).filter(Boolean))
  expect(rows).toContainEqual(['1', '2028-01-01', '31', '0', '7', '50', '1000', '1.5', '90', 'all held'])
  expect(rows).toContainEqual(['2', '2028-01-01', '31', '0', '7', '50', '2000', '1.5', '90', 'exit code 1'])
  expect(lines.join('\n')).toContain('--pace 60 --seed 2 --days 31 --from 2028-01-01: 2000 steps until now')
  expect(lines.filter((line) => line.includes('it did not hold'))).toHaveLength(1)
  expect(await runSideBySide(runs.slice(0, 1), program, around)).toBe(true)
})
