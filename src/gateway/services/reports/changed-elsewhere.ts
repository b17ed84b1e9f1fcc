import { listed } from '../../../kit/text/listed.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { OtherDefinitions, OtherReport } from './read-back.js'

/** What a sentence lists of each kind. */
const MAX_LISTED = 5

/** When, and with which entry, the equipment came back; `at` is null where the entry is not kept any more. */
export interface Since {
  readonly message: number
  readonly at: string | null
}

/** What another host has changed, for people: from when on values may have been recorded under wrong names, too. */
export function changedElsewhereText(
  { reports, events }: OtherDefinitions,
  known: EquipmentKnowledge,
  since: Since | undefined,
): string {
  const nameOf = (vid: string): string => known.named(vid)?.name || vid
  const variables = (vids: readonly string[]): string => listed(vids.map(nameOf), MAX_LISTED, ' ')
  const reportText = ({ id, variables: defined, found }: OtherReport): string =>
    found.length === 0 ? `${id} is gone` : `${id} has ${variables(found)} in place of ${variables(defined)}`
  const eventText = (id: string): string => [id, known.events.get(id)?.name].filter(Boolean).join(' ')
  const switched = (enabled: boolean): string =>
    listed(
      events.filter((event) => event.enabled === enabled).map(({ id }) => eventText(id)),
      MAX_LISTED,
    )
  const [disabled, enabled] = [switched(true), switched(false)]
  const told = [
    reports.length > 0 && `Report ${listed(reports.map(reportText), MAX_LISTED, '; ')}.`,
    disabled !== '' && `Disabled: ${disabled}.`,
    enabled !== '' && `Enabled: ${enabled}.`,
    since && spanText(since),
  ]
  return ['Another host has changed what the equipment reports.', ...told].filter(Boolean).join(' ')
}

const spanText = ({ message, at }: Since): string =>
  `Values of such reports since message ${message}${at === null ? '' : ` (${at})`} may have been delivered under wrong names; the history has them without names.`
