import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exportJournal } from '../../src/client/journal.js'
import { systemClock } from '../../src/kit/clock.js'

const { signal } = new AbortController()

/** A gateway that hangs up after so many lines of each answer, in the middle of the next, and has none after `stuckAfter`. */
async function hangingUp(
  linesEach: number,
  last: number,
  stuckAfter = last,
): Promise<{ url: string; asked: (string | null)[] }> {
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('after')
    asked.push(after)
    const first = Number(after ?? 0) + 1
    const end = Math.min(last, stuckAfter, first + linesEach - 1)
    for (let seq = first; seq <= end; seq++) response.write(`{"seq":${seq},"data":{}}\n`)
    if (end === last) response.end()
    else response.write('{"seq":', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('an export that is cut continues with the next entry, without a gap or a repeat', async () => {
  const { url, asked } = await hangingUp(3, 8)
  const seqs: number[] = []
  for await (const { seq, text } of exportJournal({ url, clock: systemClock }, {}, signal)) {
    expect(JSON.parse(text)).toEqual({ seq, data: {} })
    seqs.push(seq)
  }
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(asked).toEqual([null, '3', '6'])
})

test('it is given up after several attempts that bring nothing', async () => {
  const { url, asked } = await hangingUp(3, Number.POSITIVE_INFINITY, 6)
  // No time passes between attempts.
  const clock = {
    now: () => systemClock.now(),
    date: () => systemClock.date(),
    at: (_: number, run: () => void) => systemClock.at(systemClock.now(), run),
  }
  const seqs: number[] = []
  const taken = async (): Promise<void> => {
    for await (const { seq } of exportJournal({ url, clock }, {}, signal)) seqs.push(seq)
  }
  await expect(taken()).rejects.toMatchObject({ kind: 'unreachable' })
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6])
  expect(asked).toEqual([null, '3', '6', '6', '6', '6'])
})
