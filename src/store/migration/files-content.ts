import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../kit/clock.js'
import type { Entry } from '../entry.js'
import { FailStop } from '../failure.js'
import { beginJournal } from '../files/begin-journal.js'
import { type FolderContent, journalFolder, openStore } from '../files/data-folder.js'
import { replaceFile } from '../files/disk/durable-file.js'
import { disk } from '../files/disk/file-system.js'
import type { NdjsonJournal } from '../files/ndjson-journal.js'
import { openJournal } from '../files/open-journal.js'
import { type Gap, NUMBERS_LEFT_OUT } from '../gap.js'
import { KEEP_ALL } from '../retention-policy.js'
import type { Store } from '../store.js'
import {
  CannotMigrate,
  type ContentForm,
  digestOf,
  type JournalContent,
  NotTheSame,
  type SiteContent,
} from './site-content.js'

/** All that a daemon on a database has in its data folder. */
const LOCK = 'lock'
const PAGE = { limit: 500, bytes: 4 * 1024 * 1024 }

/** Opens a data folder to be read. Nothing in it is changed but what every opening does. */
export async function readFolder(
  folder: string,
  form: ContentForm,
  { clock, content }: { readonly clock: Clock; readonly content: FolderContent },
): Promise<{ readonly site: SiteContent; close(): Promise<void> }> {
  const store: Store = await openStore(folder, { clock, content, retention: KEEP_ALL })
  try {
    const audit = await store.furtherJournal('audit', KEEP_ALL)
    const collections = new Map()
    for (const name of form.collections) collections.set(name, await (await store.collection(name)).all())
    const secrets = new Map()
    for (const [name, length] of Object.entries(form.secrets))
      secrets.set(name, await store.secret(name, length))
    const journals = [
      journalOf('journal', store.journal as NdjsonJournal),
      journalOf('audit', audit as NdjsonJournal),
    ]
    return { site: { journals, collections, secrets }, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}

const journalOf = (name: JournalContent['name'], journal: NdjsonJournal): JournalContent => ({
  name,
  first: journal.first,
  last: journal.last,
  async *pinned() {
    const { pinned } = journal.parts
    const seqs = pinned.seqs().filter((seq) => seq < journal.first)
    for (let at = 0; at < seqs.length; at += PAGE.limit)
      yield await pinned.read(seqs.slice(at, at + PAGE.limit))
  },
  async *entries() {
    for (let after = journal.first - 1; ; ) {
      const entries = await journal.query({ after, order: 'asc', ...PAGE })
      const last = entries.at(-1)
      if (!last) return
      yield entries
      after = last.seq
    }
  },
})

/**
 * Makes a data folder of this content. Throws `CannotMigrate` where it has files already, and `NotTheSame`; the folder is
 * removed again where anything fails.
 */
export async function writeFolder(
  folder: string,
  site: SiteContent,
  form: ContentForm,
  { clock, content }: { readonly clock: Clock; readonly content: FolderContent },
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).some((name) => name !== LOCK)) throw new CannotMigrate(`${folder} is not empty`)
  try {
    for (const [name, secret] of site.secrets)
      await replaceFile(disk, join(folder, name), Buffer.from(secret))
    const store = await openStore(folder, { clock, content })
    for (const [name, records] of site.collections) {
      const collection = await store.collection(name)
      await Promise.all(records.map((record) => collection.put(record)))
    }
    for (const [name, length] of Object.entries(form.secrets)) await store.secret(name, length)
    await store.close()
    for (const journal of site.journals)
      await writeJournal(journalFolder(folder, journal.name), journal, clock)
    const { site: written, close } = await readFolder(folder, form, { clock, content })
    try {
      return await compared(site, written)
    } finally {
      await close()
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Throws `NotTheSame`. Resolves with a line about each journal. */
async function compared(site: SiteContent, written: SiteContent): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [at, journal] of site.journals.entries()) {
    const other = written.journals[at]
    const [was, is] = [await digestOf(journal), other && (await digestOf(other))]
    if (was !== is || journal.first !== other?.first || journal.last !== other.last)
      throw new NotTheSame(`${journal.name} was ${was}, and is ${is}`)
    lines.push(`${journal.name}: ${was}`)
  }
  return lines
}

const numbersWithout = (first: number, last: number): Gap =>
  last - first < NUMBERS_LEFT_OUT - 1 ? { first, last } : { first, last, restored: true }

async function writeJournal(folder: string, journal: JournalContent, clock: Clock): Promise<void> {
  const gaps: Gap[] = []
  let next = journal.first
  for await (const entries of journal.entries()) {
    for (const { seq } of entries) {
      if (seq > next) gaps.push(numbersWithout(next, seq - 1))
      next = seq + 1
    }
  }
  if (next <= journal.last) gaps.push(numbersWithout(next, journal.last))
  await rm(folder, { recursive: true, force: true })
  await beginJournal(disk, folder, { first: journal.first, pinned: journal.pinned(), gaps })
  const open = () => openJournal(folder, { fs: disk, failStop: new FailStop(), clock })
  let writing = await open()
  try {
    for await (const entries of journal.entries()) {
      for (const run of runsOf(entries)) {
        const [{ seq }] = run
        if (seq !== writing.last + 1) {
          // A journal goes on after a gap when it is opened.
          await writing.close()
          writing = await open()
        }
        await writing.appendAll(run)
      }
    }
  } finally {
    await writing.close()
  }
}

/** Entries without a gap between them. */
function runsOf(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const runs: [Entry, ...Entry[]][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run && run[run.length - 1]?.seq === entry.seq - 1) run.push(entry)
    else runs.push([entry])
  }
  return runs
}
