import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type LogLine, logLines, startOfLast } from '../../src/daemon/log-file.js'
import { scratchFolders } from '../store/scratch-folder.js'

const pathOf = scratchFolders()
const file = (text: string): string => {
  const path = `${pathOf()}.log`
  writeFileSync(path, text)
  return path
}

async function read(path: string, from: number, to: number): Promise<LogLine[]> {
  const found: LogLine[] = []
  for await (const line of logLines(path, from, to)) found.push(line)
  return found
}

test('the last lines are found however far back they begin', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `${at} ${'ä'.repeat(at % 90)}`)
  const text = `${lines.join('\n')}\n`
  const size = Buffer.byteLength(text)
  expect(size).toBeGreaterThan(400_000)
  const path = file(text)
  for (const count of [1, 2, 301, 4000, 4999, 5000, 100_000]) {
    const told = await read(path, await startOfLast(path, count), size)
    expect(told.map((line) => line.text)).toEqual(lines.slice(-count))
  }
})

test.each([
  ['', []],
  ['\n', ['']],
  ['one', ['one']],
  ['one\ntwo', ['two']],
  ['one\ntwo\n', ['two']],
])('the last line of %j', async (text, expected) => {
  const path = file(text)
  const told = await read(path, await startOfLast(path, 1), text.length)
  expect(told.map((line) => line.text)).toEqual(expected)
})

test('a line that is still being written is told to be so, and is whole when it is read again', async () => {
  const path = file('one\ntw')
  expect(await read(path, 0, 6)).toEqual([
    { text: 'one', whole: true, end: 4 },
    { text: 'tw', whole: false, end: 6 },
  ])
  appendFileSync(path, 'o\n')
  expect(await read(path, 4, 8)).toEqual([{ text: 'two', whole: true, end: 8 }])
})

test('a line without an end comes in parts, so that it is never held as a whole', async () => {
  const size = 3 * 1024 * 1024
  const parts = await read(file('x'.repeat(size)), 0, size)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map(({ text }) => text.length).reduce((sum, length) => sum + length)).toBe(size)
})
