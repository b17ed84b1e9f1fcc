// What a store must survive: `npm run stress:store [kills]`. The full disk wants root, for a small tmpfs.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/kit/clock.js'
import type { JsonObject } from '../src/kit/text/json.js'
import type { Entry, NewEntry } from '../src/store/entry.js'
import { FailStop } from '../src/store/failure.js'
import { openStore } from '../src/store/files/data-folder.js'
import { disk } from '../src/store/files/disk/file-system.js'
import type { NdjsonJournal } from '../src/store/files/ndjson-journal.js'
import { openJournal } from '../src/store/files/open-journal.js'
import { isLoss, verifyJournal } from '../src/store/files/repair/verify.js'
import type { View } from '../src/store/view.js'

const [first = '1000', folderGiven] = process.argv.slice(2)
const WRITERS = 32
/** So small that segments, retention and snapshots turn over all the time. */
const SMALL = { segmentBytes: 100_000, retention: { maxAge: 1e12, maxBytes: 400_000 } }

/** What an entry has to say under its number. */
const dataOf = (seq: number): JsonObject => ({ seq, text: `${seq * 7919}`.repeat(1 + (seq % 40)) })
const entryOf = (seq: number, at = systemClock.date().toISOString()): NewEntry => ({
  key: `e${seq % 5}`,
  type: seq % 2 === 0 ? 'message' : 'alarm',
  name: 'a',
  at,
  data: dataOf(seq),
})

/** Knows how many entries there ever were, and owes the first one. */
class Count implements View {
  readonly name = 'count'
  readonly version = 1
  readonly kinds = [{ type: 'message' }, { type: 'alarm' }]
  count = 0

  load(line: JsonObject): void {
    this.count = Number(line['count'])
  }

  apply(_: Entry): void {
    this.count++
  }

  *lines(): Generator<JsonObject> {
    yield { count: this.count }
  }

  *pinned(): Generator<number> {
    if (this.count > 0) yield 1
  }
}

interface Opened {
  readonly journal: NdjsonJournal
  readonly view: Count
}

async function open(folder: string): Promise<Opened> {
  const journal = await openJournal(folder, {
    fs: disk,
    failStop: new FailStop(),
    clock: systemClock,
    ...SMALL,
  })
  const view = new Count()
  await journal.attach([view])
  return { journal, view }
}

/** Appends from many writers until killed or refused; tells every number that was acknowledged. */
async function write(folder: string, told: (seq: number) => void): Promise<void> {
  const { journal } = await open(folder)
  let given = journal.last + 1
  const writer = async (): Promise<void> => {
    for (;;) {
      const number = given++
      const entries = await journal.appendAll(
        number % 3 ? [entryOf(number)] : [entryOf(number), entryOf(number)],
      )
      for (const { seq } of entries) told(seq)
    }
  }
  try {
    await Promise.all(Array.from({ length: WRITERS }, writer))
  } finally {
    await journal.close()
  }
}

interface Figures {
  acknowledged: number
  lost: number
  wrong: number
}

/** Opens what is left and looks at every entry, and at what the view and the files say. */
async function check(folder: string, acknowledged: number, figures: Figures): Promise<void> {
  const { journal, view } = await open(folder)
  if (journal.last < acknowledged) figures.lost += acknowledged - journal.last
  let due = journal.first
  for (let after = 0; ; ) {
    const entries = await journal.query({ order: 'asc', limit: 1000, after })
    for (const { seq, data } of entries) {
      if (seq !== due) figures.lost += seq - due
      if (JSON.stringify(data) !== JSON.stringify(dataOf(seq))) figures.wrong++
      due = seq + 1
    }
    const last = entries.at(-1)
    if (!last) break
    after = last.seq
  }
  figures.lost += journal.last + 1 - due
  if (view.count !== journal.last) figures.wrong++
  if (journal.last > 0 && (await journal.get(1))?.seq !== 1) figures.lost++
  await journal.close()
  for await (const { faults } of verifyJournal(disk, folder)) figures.wrong += faults.filter(isLoss).length
}

const root = folderGiven === undefined ? mkdtempSync(join(tmpdir(), 'secsctl-stress-')) : ''
process.on('exit', () => root && rmSync(root, { recursive: true, force: true }))

function told(what: string, { acknowledged, lost, wrong }: Figures): void {
  console.log(`${what}: ${acknowledged} acknowledged, ${lost} lost, ${wrong} wrong`)
  if (lost + wrong > 0) process.exitCode = 1
}

const itself = (...args: readonly string[]) =>
  spawn(process.execPath, [process.argv[1] ?? '', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

async function kills(times: number): Promise<void> {
  const folder = join(root, 'killed')
  const figures: Figures = { acknowledged: 0, lost: 0, wrong: 0 }
  let highest = 0
  for (let kill = 0; kill < times; kill++) {
    const child = itself('write', folder)
    let rest = ''
    let armed = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      figures.acknowledged += lines.length
      for (const line of lines) highest = Math.max(highest, Number(line))
      if (!armed) setTimeout(() => child.kill('SIGKILL'), Math.random() * 40)
      armed = true
    })
    await once(child, 'close')
    // The next process finds what this one left; every tenth time somebody looks at all of it.
    if (kill % 10 === 9 || kill === times - 1) await check(folder, highest, figures)
  }
  told(`${times} kill -9 under load`, figures)
}

async function fullDisk(): Promise<void> {
  if (process.getuid?.() !== 0) return console.log('full disk: needs root, not tried')
  const folder = join(root, 'small')
  const figures: Figures = { acknowledged: 0, lost: 0, wrong: 0 }
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  try {
    const journal = join(folder, 'journal')
    let highest = 0
    const failed = await write(journal, (seq) => {
      highest = Math.max(highest, seq)
      figures.acknowledged++
    }).catch((error: unknown) => error)
    console.log(`full disk: ${(failed as Error).message}`)
    // Full still: it opens, and has everything.
    await check(journal, highest, figures)
    told('opened again while full', figures)
  } finally {
    execFileSync('umount', [folder])
  }
}

async function twoAtOnce(rounds: number): Promise<void> {
  let both = 0
  let neither = 0
  for (let round = 0; round < rounds; round++) {
    const folder = join(root, 'shared')
    const said = await Promise.all(
      [1, 2].map(async () => {
        const child = itself('lock', folder)
        const [text] = await once(child.stdout, 'data')
        return { child, text: String(text) }
      }),
    )
    const inside = said.filter(({ text }) => text.startsWith('in')).length
    if (inside > 1) both++
    if (inside < 1) neither++
    for (const { child } of said) child.kill('SIGKILL')
    await Promise.all(said.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  }
  console.log(`${rounds} times two on one folder: ${both} times both got in, ${neither} times neither`)
  if (both + neither > 0) process.exitCode = 1
}

async function clockSetBack(entries: number): Promise<void> {
  const { journal } = await open(join(root, 'clock'))
  const figures: Figures = { acknowledged: 0, lost: 0, wrong: 0 }
  const start = systemClock.date().getTime()
  let time = start
  const all: { readonly seq: number; readonly time: number }[] = []
  for (let n = 0; n < entries; n++) {
    time += n % 97 === 0 ? -Math.floor(Math.random() * 60_000) : 100
    const { seq } = await journal.append(entryOf(journal.last + 1, new Date(time).toISOString()))
    all.push({ seq, time })
    figures.acknowledged++
  }
  for (let look = 0; look < 200; look++) {
    const from = start + Math.floor((Math.random() - 0.5) * 200_000)
    const to = from + Math.floor(Math.random() * 20_000)
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    const { first } = journal
    const found = await journal.query({ ...range, order: 'asc', limit: entries })
    const due = all
      .filter((one) => one.seq >= first && one.time >= from && one.time < to)
      .map(({ seq }) => seq)
    if (JSON.stringify(found.map(({ seq }) => seq)) !== JSON.stringify(due)) figures.wrong++
  }
  await journal.close()
  told(`a clock set back every 97 entries, 200 windows`, figures)
}

if (first === 'write') {
  await write(folderGiven ?? '', (seq) => writeSync(1, `${seq}\n`))
} else if (first === 'lock') {
  const opened = await openStore(folderGiven ?? '', { clock: systemClock }).catch((error: Error) => error)
  console.log(opened instanceof Error ? `out: ${opened.name}` : 'in')
  setInterval(() => {}, 1000)
} else {
  await kills(Number(first))
  await fullDisk()
  await twoAtOnce(50)
  await clockSetBack(5000)
}
