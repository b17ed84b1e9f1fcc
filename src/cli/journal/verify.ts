import { relative } from 'node:path'
import { type Fault, isLoss, type Verified, verifyStored } from '../../daemon/stored-files.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { GatewayCommand } from '../gateway-command.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'
import { DATA_ARGUMENT, DATA_FLAG, dataFolderGiven, dataGiven, requireFilesHere } from './journal-folder.js'

const COLUMNS: readonly Column<Fault>[] = [
  { title: 'FAULT', text: ({ kind }) => kind },
  { title: 'FILE', text: ({ file }) => file },
  { title: 'BYTE', text: ({ offset }) => (offset === null ? '' : String(offset)), spare: true },
  { title: 'WHAT', text: ({ detail }) => detail },
]

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

export function verdictOf(faults: readonly Fault[]): string {
  if (faults.some(isLoss)) return 'something is lost'
  return faults.some(({ kind }) => kind === 'given_up')
    ? 'nothing is lost but what was given up'
    : 'nothing is lost'
}

export const journalVerify = verb(GatewayCommand, {
  summary: 'Read every byte of the data folder, or of a backup, and list what is not as it was written.',
  description:
    'Checks the journal, equipment.json and the other documents, the signing key, the digests of a backup (SHA256SUMS), and the records in the documents, as a start does. Reads the files of this machine, whether a daemon runs or not, and changes nothing. The last line says how much was read, and whether something is lost. "damaged" and "missing" are a loss, and end with exit code 9; "torn" is a write in progress or cut short by a crash, none of it acknowledged; "index" and "snapshot" are made again by themselves; "previous" is an older copy of a document (.bak) that the next change replaces; "given_up" was lost once, and `daemon run --accept-loss` continued without it; "newer" was written by a newer secsctl, and "permissions" belongs to another user or is open to other users: the daemon does not start on either. `secsctl explain WORD` says what to do about each.',
  examples: ['secsctl journal verify', 'secsctl journal verify /backup/secsctl --json'],
  args: { folder: DATA_ARGUMENT },
  flags: { data: DATA_FLAG },
  async run(on, { args, flags }) {
    const data = dataGiven(args.folder, flags.data)
    await requireFilesHere(on.session, 'journal verify', data)
    const folder = await dataFolderGiven(on.folders, data)
    const files: Verified[] = []
    for await (const verified of verifyStored(folder)) {
      files.push({
        ...verified,
        file: relative(folder, verified.file),
        faults: verified.faults.map((fault) => ({ ...fault, file: relative(folder, fault.file) })),
      })
    }
    const faults = files.flatMap((file) => file.faults)
    const entries = files.reduce((sum, file) => sum + file.entries, 0)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (on.format === 'json') on.printJson({ folder, entries, bytes, files, faults })
    else if (faults.length > 0) await on.printList(faults, COLUMNS, '')
    const lost = faults.filter(isLoss).length
    if (on.format !== 'json') {
      const seen = `${count(entries, 'entry', 'entries')} in ${count(files.length, 'file', 'files')}`
      on.print(`${seen}, ${count(bytes, 'byte', 'bytes')}: ${verdictOf(faults)}.`)
    }
    if (lost > 0) on.environment.exitCode = EXIT_CODES.damaged
  },
})
