import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SILENT } from '../../reading-progress.js'
import type { FileSystem } from '../disk/file-system.js'
import { type Fault, looked, type Verified } from '../repair/verify.js'

/** The digests of a backup's files, in the form that `sha256sum --check` reads. */
export const MANIFEST_NAME = 'SHA256SUMS'

const LINE = /^([0-9a-f]{64}) {2}(.+)$/

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** One line a file, and a comment with the digest of the lines. `digests`: by the paths in the backup. */
export function encodeManifest(digests: ReadonlyMap<string, string>): Buffer {
  const lines = [...digests].map(([path, digest]) => `${digest}  ${path}\n`).sort()
  const text = lines.join('')
  return Buffer.from(`${text}# ${digestOf(Buffer.from(text))}\n`)
}

/** The digests by path; undefined for bytes that are not what was written. */
function decodeManifest(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const text = bytes.toString('utf8')
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  if (text.slice(end) !== `# ${digestOf(Buffer.from(text.slice(0, end)))}\n`) return undefined
  const lines = text.slice(0, end).split('\n').slice(0, -1)
  return new Map(lines.map((line) => [LINE.exec(line)?.[2] ?? '', LINE.exec(line)?.[1] ?? '']))
}

/** Compares the files of a backup with its manifest; undefined where there is none. */
export async function verifyManifest(
  fs: FileSystem,
  folder: string,
  progress = SILENT,
): Promise<Verified | undefined> {
  const file = join(folder, MANIFEST_NAME)
  const bytes = await fs.read(file)
  if (!bytes) return undefined
  const faults: Fault[] = []
  const digests = decodeManifest(bytes)
  if (!digests) faults.push({ kind: 'damaged', file, offset: null, detail: 'it is not what was written' })
  let compared = 0
  for (const [path, digest] of digests ?? []) {
    progress('comparing the backup with SHA256SUMS', compared++, digests?.size ?? 0)
    const name = join(folder, path)
    const found = await fs.read(name)
    const about = { file: name, offset: null }
    if (!found)
      faults.push({ kind: 'missing', ...about, detail: `it is gone, and ${MANIFEST_NAME} lists it` })
    else if (digestOf(found) !== digest) {
      faults.push({ kind: 'damaged', ...about, detail: `its digest is not the one in ${MANIFEST_NAME}` })
    }
  }
  return looked(file, bytes.length, faults)
}
