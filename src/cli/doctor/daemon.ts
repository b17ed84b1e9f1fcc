import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type DaemonAddress, mayBeAlive, readAddress } from '../../daemon/address-file.js'
import { readinessOf } from '../../daemon/probe.js'
import { probeStored } from '../../daemon/stored-files.js'
import { tapsStatus } from '../../daemon/taps.js'
import type { Clock } from '../../kit/clock.js'
import { withTimeout } from '../../kit/clock.js'
import { shellWord } from '../../kit/shell-word.js'
import type { FormatTime } from '../output/local-time.js'
import { sizeText } from '../output/size-text.js'
import type { Folders } from '../profile/folders.js'
import { tapsText } from '../tap/status.js'
import { type Finding, inArea } from './finding.js'

const area = inArea('daemon')
/** A full disk is a cause of what comes after the files, such as a daemon that does not run. */
const disk = inArea('files')

const MIB = 1024 * 1024
const GIB = 1024 * MIB
/** Less free space than this is worth a note, or is too little to record with. */
const LITTLE_BYTES = GIB
const TOO_LITTLE_BYTES = 64 * MIB

/** How long a disk that hangs is waited for. */
const DISK_TIMEOUT_MS = 5_000

/** The daemon of this machine and its data, whether or not it is the server that is meant. */
export async function daemonFindings(
  folders: Folders,
  clock: Clock,
  formatTime: FormatTime,
): Promise<readonly Finding[]> {
  const address = await readAddress(folders.state).catch((error: Error) => error)
  if (address instanceof Error) return [area.failed('process', address)]
  const running = address !== undefined && mayBeAlive(address.pid)
  const data = address && running ? address.data_folder : folders.data
  const process = await processFinding(address, running, clock, formatTime)
  const taps = await tapsFinding(folders, running, clock)
  if (running && address?.store !== undefined)
    return [process, ...taps, area.ok('store', `${address.store}: PostgreSQL has the records`)]
  return [process, ...taps, ...(await dataFindings(data)), ...(await syncFinding(data, running, clock))]
}

async function processFinding(
  address: DaemonAddress | undefined,
  running: boolean,
  clock: Clock,
  formatTime: FormatTime,
): Promise<Finding> {
  if (!address) return area.ok('process', 'none runs on this machine')
  const { pid, url, started_at } = address
  if (!running) return area.note('process', `process ${pid} ended abnormally`, 'secsctl daemon logs')
  const readiness = await readinessOf(url, clock)
  if (readiness === 'ready') return area.ok('process', `${pid} at ${url}, since ${formatTime(started_at)}`)
  const why = {
    storeless: 'responds, but its disk or database takes no records',
    silent: 'does not respond',
    other: 'does not respond as a gateway does',
    absent: 'does not listen',
  }[readiness]
  return area.wrong('unreachable', 'process', `process ${pid} ${why} at ${url}`, 'secsctl daemon logs')
}

/** Share of the room of what is not recorded yet that is worth a note. */
const MUCH_WAITS = 0.25

/** The process of the taps; nothing where there is none, which equipment that is tapped then says. */
async function tapsFinding(folders: Folders, running: boolean, clock: Clock): Promise<readonly Finding[]> {
  const status = await tapsStatus(folders.state, clock)
  if (!status) return []
  const { told, hangs, pid } = status
  const text = tapsText(status)
  if (hangs) return [area.wrong('unreachable', 'taps', text, `ps -o pid,stat,wchan,args -p ${pid}`)]
  if (!told) return [area.note('taps', text, 'secsctl daemon restart')]
  if (told.queueBytes > told.queueLimit * MUCH_WAITS)
    return [area.note('taps', `${text}: what has no room is not recorded`, 'secsctl daemon logs')]
  if (!told.isRead && told.taps > 0)
    return [
      area.note(
        'taps',
        `${text}: no daemon records it`,
        running ? 'secsctl daemon logs' : 'secsctl daemon start',
      ),
    ]
  return [area.ok('taps', text)]
}

async function dataFindings(data: string): Promise<readonly Finding[]> {
  const space = await statfs(data).catch(() => undefined)
  if (!space) return []
  const free = space.bavail * space.bsize
  const command = `df -h ${shellWord(data)}`
  const left = `${sizeText(free)} free at ${data}`
  return [
    free < TOO_LITTLE_BYTES
      ? disk.wrong('unexpected', 'disk', `${left}: too little to record`, command)
      : free < LITTLE_BYTES
        ? disk.note('disk', left, command)
        : disk.ok('disk', left),
    area.ok(
      'journal',
      `${sizeText(await bytesIn(join(data, 'journal')))}; not read, which takes longer`,
      'secsctl journal verify',
    ),
  ]
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

/** A daemon that runs has its folder to itself: then nothing is written there. */
async function syncFinding(data: string, running: boolean, clock: Clock): Promise<readonly Finding[]> {
  if (running) return []
  const writable = await access(data, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!writable) return []
  try {
    const probe = await withTimeout(clock, DISK_TIMEOUT_MS, probeStored(data, clock))
    const mend = 'secsctl daemon bench-disk'
    if (!probe)
      return [area.wrong('unexpected', 'sync', 'the disk hangs: small writes do not reach it', mend)]
    const took = `a small write is safe after ${probe.median.toPrecision(2)} ms`
    if (probe.verdict === 'fine') return [area.ok('sync', took)]
    return [area.note('sync', `${took}: ${probe.verdict.replace('_', ' ')}`, mend)]
  } catch (error) {
    return [area.failed('sync', error, `ls -ld ${shellWord(data)}`)]
  }
}
