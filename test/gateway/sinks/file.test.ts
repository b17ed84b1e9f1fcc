import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { file } from '../../../src/gateway/sinks/kinds/file.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { outMessage, sinkWorld } from './open-sinks.js'

const never = new AbortController().signal
const messageOf = (n: number, more = '') => outMessage(n, { n, more })

function opened(target: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sink-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const record = { kind: 'file', file: { file: 'out.ndjson', ...target } } as unknown as SinkRecord
  const producer = file(record, sinkWorld({ folder }))
  onTestFinished(() => producer.close())
  const read = (name = 'out.ndjson') => readFileSync(join(folder, name), 'utf8')
  const numbers = (name?: string) =>
    read(name)
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { readonly n: number }).n)
  return { folder, producer, read, numbers }
}

test('each message is a line', async () => {
  const { producer, numbers } = opened()
  await producer.send([messageOf(1), messageOf(2)], never)
  await producer.send([messageOf(3)], never)
  expect(numbers()).toEqual([1, 2, 3])
})

test('a line that a crash cut short is removed before the next', async () => {
  const { folder, producer, numbers } = opened()
  await producer.send([messageOf(1)], never)
  await producer.close()
  appendFileSync(join(folder, 'out.ndjson'), `{"n":2,"${'x'.repeat(100_000)}`)
  await producer.send([messageOf(2)], never)
  expect(numbers()).toEqual([1, 2])
})

test('a first line that a crash cut short is removed, and its bytes do not count', async () => {
  const { folder, producer, numbers } = opened({ max_bytes: 65_536, keep: 2 })
  appendFileSync(join(folder, 'out.ndjson'), `{"n":1,"${'x'.repeat(60_000)}`)
  await producer.send([messageOf(1, 'x'.repeat(50_000))], never)
  expect([numbers(), readdirSync(folder)]).toEqual([[1], ['out.ndjson']])
})

test('a file that is large is renamed, and the oldest is deleted', async () => {
  const { folder, producer, numbers } = opened({ max_bytes: 65_536, keep: 2 })
  for (let n = 1; n <= 5; n++) await producer.send([messageOf(n, 'x'.repeat(50_000))], never)
  expect(readdirSync(folder).sort()).toEqual(['out.ndjson', 'out.ndjson.1', 'out.ndjson.2'])
  expect([numbers(), numbers('out.ndjson.1'), numbers('out.ndjson.2')]).toEqual([[5], [4], [3]])
})

test('a file that somebody moved away is made again', async () => {
  const { folder, producer, numbers } = opened()
  await producer.send([messageOf(1)], never)
  renameSync(join(folder, 'out.ndjson'), join(folder, 'taken'))
  await producer.send([messageOf(2)], never)
  expect([numbers('taken'), numbers()]).toEqual([[1], [2]])
})

test('a symbolic link is not followed', async () => {
  const { folder, producer } = opened()
  symlinkSync('/dev/null', join(folder, 'out.ndjson'))
  await expect(producer.send([messageOf(1)], never)).rejects.toThrow()
})
