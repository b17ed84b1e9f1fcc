import { ALARM_CATEGORIES } from '../../catalogue/alarm-categories.js'
import { SEVERITIES, type Severity } from '../../contract/alarm-severity.js'
import { endpoints } from '../../contract/endpoints.js'
import type { AlarmQuery } from '../../contract/topics/alarms.js'
import { defined } from '../../kit/defined.js'
import { wrongUsage } from '../errors/failure.js'
import type { GatewayCommand } from '../gateway-command.js'
import { parseDuration } from '../input/durations.js'
import { rare, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import type { ListGiven } from '../input/list-flags.js'

/** Severities as flags take them, the most urgent first. */
const SEVERITY_NAMES: readonly string[] = SEVERITIES.map((name) => name.replace('_', '-'))

/** What narrows alarms, besides equipment and a range of time. */
export const ALARM_FLAGS = {
  active: switchFlag('Only those that are set now; --no-active, those that are not.', { allowNo: true }),
  shelved: switchFlag('Only open alarms that are shelved; --no-shelved, those that are not.', {
    allowNo: true,
  }),
  alid: textsFlag('ALID', 'Only with this ALID or range, such as 4000-4010. May be repeated.'),
  category: textsFlag(
    'CATEGORY',
    'Only of this category: 0 to 127, or its name such as personal-safety. May be repeated.',
  ),
  severity: textsFlag('SEVERITY', `Only of this severity: ${SEVERITY_NAMES.join(', ')}. May be repeated.`),
  text: textFlag(
    'TEXT',
    "Only alarms whose text contains TEXT; case is ignored. * stands for anything: 'pump*high'.",
  ),
  'older-than': textFlag('DURATION', 'Only those that were set longer ago than this, such as 10m.', {
    exclusive: ['until'],
  }),
  ...rare({
    'newer-than': textFlag('DURATION', 'Only those that were set since then, such as 1h.', {
      exclusive: ['since'],
    }),
  }),
}

export interface AlarmsGiven {
  readonly active?: boolean | undefined
  readonly shelved?: boolean | undefined
  readonly alid?: readonly string[] | undefined
  readonly category?: readonly string[] | undefined
  readonly severity?: readonly string[] | undefined
  readonly text?: string | undefined
  readonly 'older-than'?: string | undefined
  readonly 'newer-than'?: string | undefined
}

/** Category names as flags take them. */
export const CATEGORY_NAMES: readonly string[] = ALARM_CATEGORIES.map((name) => name.replaceAll(' ', '-'))

/** The values of a flag that takes several, `7,4000-4010`. An empty one is refused: it must not select every alarm. */
export function partsOf(given: readonly string[] | undefined, flag: string): string[] | undefined {
  const parts = given?.flatMap((text) => text.split(',').map((part) => part.trim()))
  if (parts?.includes('')) throw wrongUsage(`${flag} is empty`)
  return parts
}

/**
 * Refuses what no alarm has as its ALID: a range that begins after its end, and a text, unless it is one that the gateway
 * has recorded. It would select nothing, and a wait for its end would be over at once.
 */
export async function requireAlids(
  on: Pick<GatewayCommand, 'recordsOf'>,
  given: readonly string[] | undefined,
): Promise<void> {
  for (const alid of partsOf(given, '--alid') ?? []) {
    const [, first, last] = /^(\d+)-(\d+)$/.exec(alid) ?? []
    if (first !== undefined && last !== undefined && BigInt(first) > BigInt(last))
      throw wrongUsage(`--alid ${alid}: the range begins after its end`)
    if (first !== undefined || /^(0|[1-9]\d*)$/.test(alid)) continue
    const recorded = await on.recordsOf(endpoints.listAlarms, { alid: [alid] }).next()
    if (recorded.done)
      throw wrongUsage(
        `--alid takes a number such as 4001, or a range, not "${alid}": no alarm has it`,
        'secsctl alarms list',
      )
  }
}

function categoryGiven(text: string): number {
  const named = CATEGORY_NAMES.indexOf(text.toLowerCase().replaceAll(' ', '-'))
  if (named >= 0) return named
  if (/^\d{1,3}$/.test(text) && Number(text) <= 127) return Number(text)
  throw wrongUsage(`--category takes 0 to 127, or one of ${CATEGORY_NAMES.join(', ')}, not "${text}"`)
}

function severityGiven(text: string): Severity {
  const found = SEVERITIES[SEVERITY_NAMES.indexOf(text.toLowerCase().replaceAll(/[ _]/g, '-'))]
  if (found) return found
  throw wrongUsage(`--severity takes one of ${SEVERITY_NAMES.join(', ')}, not "${text}"`)
}

/** The flags as members of the query. */
export const alarmsGiven = ({ active, shelved, alid, category, severity, text }: AlarmsGiven): AlarmQuery =>
  defined({
    active,
    shelved,
    alid: partsOf(alid, '--alid'),
    category: partsOf(category, '--category')?.map(categoryGiven),
    severity: partsOf(severity, '--severity')?.map(severityGiven),
    text,
  })

/** `--older-than` and `--newer-than` as ends of the range of time. */
export function ageGiven(flags: ListGiven & AlarmsGiven, now: Date): ListGiven {
  const ago = (flag: 'older-than' | 'newer-than', otherwise: string | undefined): string | undefined => {
    const text = flags[flag]
    if (text === undefined) return otherwise
    return new Date(now.getTime() - parseDuration(text, `--${flag}`)).toISOString()
  }
  const since = ago('newer-than', flags.since)
  const until = ago('older-than', flags.until)
  if (flags['newer-than'] !== undefined && since !== undefined && until !== undefined && until < since)
    throw wrongUsage(`no alarm is newer than ${flags['newer-than']} and was set before ${until}`)
  return { since, until }
}
