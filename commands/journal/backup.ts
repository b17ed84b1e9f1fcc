import { readdir } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { DATA_FLAG, dataFolderGiven, requireFilesHere } from '../../src/cli/daemon/journal-folder.js'
import { Failure, wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { backUpStored, isLoss, type Verified, verifyStored } from '../../src/daemon/stored-files.js'
import { shellWord } from '../../src/kit/shell-word.js'

export default class JournalBackup extends GatewayCommand {
  static override summary = 'Copy the data folder while the daemon runs, and check every entry of the copy.'
  static override description =
    'The copy holds the journal, equipment, users and the signing key: keep it as safe as the folder itself. It is what the folder was at some moment while this ran. To go back to it, stop the daemon, put the copy in the place of the data folder, and start again. SHA256SUMS in the copy lists the digest of each file; `secsctl journal verify --data` compares them, and so does `sha256sum --check`. A plain copy of a folder that a daemon writes to may be refused at the start, since its files are of different moments.'
  static override examples = [
    'secsctl journal backup /backup/secsctl-monday',
    'secsctl journal backup /backup/secsctl-monday --data /var/lib/secsctl --json',
  ]
  static override args = { folder: required('A folder that is new, or empty.') }
  static override flags = { data: DATA_FLAG }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JournalBackup)
    await requireFilesHere(this.session, 'journal backup', flags.data)
    const data = await dataFolderGiven(this.folders, flags.data)
    const folder = resolve(args.folder)
    if (folder.startsWith(`${resolve(data)}${sep}`))
      throw wrongUsage(`${folder} is inside the data folder ${data}: choose a folder outside it`)
    const present = await readdir(folder).catch(ifThere)
    if (present && present.length > 0)
      throw wrongUsage(`${folder} is not empty: a backup has a folder of its own`)
    await backUpStored(data, folder).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' && error.path === `${folder}.partial`
        ? partialThere(folder, error)
        : error
    })
    const files: Verified[] = []
    for await (const file of verifyStored(folder)) files.push(file)
    const entriesIn = (name: string): number =>
      files
        .filter(({ file }) => file.startsWith(join(folder, name) + sep))
        .reduce((sum, { entries }) => sum + entries, 0)
    const entries = entriesIn('journal')
    const audit_entries = entriesIn('audit')
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const [loss] = files.flatMap(({ faults }) => faults).filter(isLoss)
    if (loss) {
      const detail = `the copy in ${folder} is not whole: ${loss.file}: ${loss.detail}`
      const where = flags.data === undefined ? '' : ` --data ${shellWord(flags.data)}`
      throw new Failure('damaged', detail, `secsctl journal verify${where}`)
    }
    if (this.format === 'json') this.printJson({ data_folder: data, folder, entries, audit_entries, bytes })
    else
      this.print(
        `${entries} entries of the journal, ${audit_entries} of the audit, ${bytes} bytes in ${folder}: nothing is lost.`,
      )
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
