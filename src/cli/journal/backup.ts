import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { noteBackup } from '../../daemon/last-backup.js'
import { backUpStored, isLoss, type Verified, verifyStored } from '../../daemon/stored-files.js'
import { shellWord } from '../../kit/shell-word.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { optional } from '../input/arguments.js'
import { numberFlag, textFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { DATA_FLAG, dataFolderGiven, requireFilesHere } from './journal-folder.js'

/** A backup of a series is named after the time of its beginning, so that names sort by age. */
const NAME = /^secsctl-\d{8}T\d{6}Z(-\d+)?$/
const DRAFT = /^(secsctl-\d{8}T\d{6}Z(?:-\d+)?)\.partial$/

/** The name of a backup that begins now; with a number where one of this second is there already. */
async function backupName(folder: string, now: Date): Promise<string> {
  const name = `secsctl-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  const present = await readdir(folder).catch(() => [])
  const same = present.filter((one) => one.startsWith(name)).length
  return same === 0 ? name : `${name}-${same + 1}`
}

/**
 * Removes the oldest backups of a series, and drafts that were cut off before the oldest that stays. Called once `newest` is
 * verified and in its place, and never removes it. Resolves with the names of the backups that are gone.
 */
async function thinOut(folder: string, newest: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort()
  const others = names.filter((name) => NAME.test(name) && name !== newest)
  const surplus = others.slice(0, Math.max(0, others.length - (keep - 1)))
  const oldest = [...others.slice(surplus.length), newest].sort()[0] ?? newest
  const cutOff = names.filter((name) => (DRAFT.exec(name)?.[1] ?? newest) < oldest)
  for (const name of [...surplus, ...cutOff]) await rm(join(folder, name), { recursive: true, force: true })
  return surplus
}

export const journalBackup = verb(GatewayCommand, {
  summary: 'Copy the data folder while the daemon runs, and check every entry of the copy.',
  description:
    'The copy contains the journal, equipment, users and the signing key: keep it as safe as the folder itself. It is a state that the folder had during the command. To go back to it, stop the daemon, put the copy in the place of the data folder, and start the daemon. SHA256SUMS in the copy has the digest of each file; `secsctl journal verify --data` and `sha256sum --check` compare them. A daemon may refuse a plain copy of a folder that another daemon was writing to, since its files are of different moments.',
  examples: [
    'secsctl journal backup --to /backup --keep 7',
    'secsctl journal backup /backup/monday',
    'secsctl journal backup /backup/monday --data /var/lib/secsctl/data --json',
  ],
  args: { folder: optional('A folder that is new, or empty.') },
  flags: {
    data: DATA_FLAG,
    to: textFlag('FOLDER', 'Folder of backups: make a backup there, named after the time.'),
    keep: numberFlag(
      'How many backups to keep in the folder: the oldest are deleted when the new one is complete.',
      {
        min: 1,
        dependsOn: ['to'],
      },
    ),
  },
  async run(on, { args, flags }) {
    await requireFilesHere(on.session, 'journal backup', flags.data)
    const data = await dataFolderGiven(on.folders, flags.data)
    const at = on.clock.date()
    const folder = await folderGiven(args.folder, flags.to, at)
    if (folder.startsWith(`${resolve(data)}${sep}`))
      throw wrongUsage(`${folder} is inside the data folder ${data}: choose a folder outside it`)
    const present = await readdir(folder).catch(ifThere)
    if (present && present.length > 0)
      throw wrongUsage(`${folder} is not empty: a backup has a folder of its own`)
    const counted = { entries: 0, audit_entries: 0, bytes: 0 }
    await backUpStored(data, folder, async (copy) => {
      Object.assign(counted, await checked(copy, flags.data))
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' && error.path === `${folder}.partial`
        ? partialThere(folder, error)
        : error
    })
    if (resolve(data) === resolve(on.folders.data))
      await noteBackup(on.folders.state, { at: at.toISOString(), folder })
    const removed =
      flags.keep === undefined ? [] : await thinOut(dirname(folder), basename(folder), flags.keep)
    if (on.format === 'json')
      return on.printJson({
        data_folder: data,
        folder,
        ...counted,
        ...(flags.keep !== undefined && { removed }),
      })
    const { entries, audit_entries, bytes } = counted
    on.print(
      `${entries} entries of the journal, ${audit_entries} of the audit, ${bytes} bytes in ${folder}: nothing is lost.`,
    )
    if (removed.length > 0) on.note(`Removed, since --keep is ${flags.keep}: ${removed.join(', ')}`)
  },
})

async function folderGiven(given: string | undefined, series: string | undefined, at: Date): Promise<string> {
  if ((given === undefined) === (series === undefined))
    throw wrongUsage('name a folder for this backup, or with --to one of backups')
  return resolve(given ?? join(series ?? '', await backupName(resolve(series ?? ''), at)))
}

/** What a copy holds. Throws `damaged` where something in it is lost: it does not become a backup then. */
async function checked(copy: string, data: string | undefined) {
  const files: Verified[] = []
  for await (const file of verifyStored(copy)) files.push(file)
  const [loss] = files.flatMap(({ faults }) => faults).filter(isLoss)
  if (loss) {
    const detail = `the copy is not whole, and was removed; backups of before are still there: ${loss.file}: ${loss.detail}`
    const where = data === undefined ? '' : ` --data ${shellWord(data)}`
    throw new Failure('damaged', detail, `secsctl journal verify${where}`)
  }
  const entriesIn = (name: string): number =>
    files
      .filter(({ file }) => file.startsWith(join(copy, name) + sep))
      .reduce((sum, { entries }) => sum + entries, 0)
  return {
    entries: entriesIn('journal'),
    audit_entries: entriesIn('audit'),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  }
}

const partialThere = (folder: string, cause: Error): Failure =>
  new Failure(
    'state',
    `${folder}.partial is there already: another backup is under way, or was cut off, or it is somebody else's. Remove it if nobody needs it, or choose another folder.`,
    undefined,
    cause,
  )

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  if (error.code === 'ENOTDIR') throw wrongUsage(`${error.path} is no folder`)
  throw error
}
