import { withTimeout } from '../../kit/clock.js'
import type { FormatTime } from '../output/local-time.js'
import type { Session } from '../profile/server.js'
import { certificateFindings } from './certificate.js'
import { daemonFindings } from './daemon.js'
import { equipmentFindings } from './equipment.js'
import { fileFindings } from './files.js'
import { type Area, type Finding, inArea } from './finding.js'
import { loginFindings, nodeFindings, serverFindings, serverMeant, signOnFindings } from './server.js'
import { authorityFindings, environmentFindings, keychainFinding } from './settings.js'
import { sinkFindings } from './sinks.js'

/** This program, as it is printed and compared with the server. */
export interface Program {
  readonly version: string
  /** The version with its build. */
  readonly built: string
  readonly root: string
}

/** How long one area may take: a disk or a server may hang. */
const RESPONSE_TIMEOUT_MS = 10_000

/**
 * Examines everything, what others depend on first. Changes nothing, asks nothing, and waits for nothing for long.
 */
export async function examine(
  session: Session,
  program: Program,
  formatTime: FormatTime,
): Promise<readonly Finding[]> {
  const { clock, folders, environment: outside } = session
  const examine = async <T extends readonly Finding[]>(
    area: Area,
    work: Promise<T>,
  ): Promise<readonly Finding[]> =>
    (await withTimeout(clock, RESPONSE_TIMEOUT_MS, work)) ?? [
      inArea(area).wrong('unexpected', 'all of it', `no response within ${RESPONSE_TIMEOUT_MS / 1000} s`),
    ]
  const own = inArea('settings').ok(
    'secsctl',
    `${program.built} on Node ${process.versions.node}, ${process.platform} ${process.arch}, in ${program.root}`,
  )
  const [{ server, local, findings: meant }, authorities, environment, files] = await Promise.all([
    serverMeant(session),
    authorityFindings(session, formatTime),
    environmentFindings(outside.variables),
    examine('files', fileFindings(folders)),
  ])
  const [serverChecks, certificate, login, keychain, daemon] = await Promise.all([
    server ? examine('server', serverFindings(session, server, program.version)) : [],
    server ? certificateFindings(server.url, clock, formatTime) : [],
    server ? withTimeout(clock, RESPONSE_TIMEOUT_MS, loginFindings(session, server, formatTime)) : undefined,
    keychainFinding(session, server?.profile),
    examine('daemon', daemonFindings(folders, clock, formatTime)),
  ])
  const reached = serverChecks.some(({ name, mark }) => name === 'reachable' && mark === 'ok')
  // A busy server may leave one question open and answer the others.
  const answers = reached || login?.isAnswered === true
  const client = answers ? login?.client : undefined
  const isStandby = serverChecks.some(({ name }) => name === 'standby')
  const asked = client
    ? await Promise.all([
        examine('server', nodeFindings(client)),
        examine('server', signOnFindings(client)),
        examine('equipment', equipmentFindings(client, formatTime, isStandby)),
        examine('sinks', sinkFindings(client)),
      ])
    : []
  return [
    own,
    ...meant.filter(({ area }) => area === 'settings'),
    ...authorities,
    keychain,
    ...(login?.findings.filter(({ area }) => area === 'settings') ?? []),
    ...environment,
    ...files,
    ...daemon.filter(({ area }) => area === 'files'),
    ...meant.filter(({ area }) => area !== 'settings'),
    ...serverChecks,
    ...certificate,
    ...(answers ? (login?.findings.filter(({ area }) => area !== 'settings') ?? []) : []),
    // A daemon that does not respond is already in the list as the server, where the server is this daemon.
    ...daemon.filter(
      ({ area, name, mark }) =>
        area !== 'files' && !(local && !reached && name === 'process' && mark === 'wrong'),
    ),
    ...asked.flat(),
  ]
}
