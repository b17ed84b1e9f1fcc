/** What a host knows of its equipment's identifiers, from this connection or an earlier one. */
export interface PeerNames {
  /** CEID to its name. */
  readonly events: ReadonlyMap<string, { readonly name: string }>
  /** The VID of a variable; case and punctuation do not matter. */
  idOf(kind: 'variables', name: string): string | undefined
  /** The VIDs of a report when entry `seq` came; null where that is not known. */
  variablesOf(rptid: string, seq: number): readonly string[] | null
  /** True once the equipment, with its current software, has sent the whole list. */
  hasWhole(list: 'S1F11' | 'S1F21' | 'S1F23'): boolean
  /** The equipment, as it is now, does not know this message of a host. */
  isRefused(message: string): boolean
}

/** The names of an equipment that has sent none. */
export const NO_NAMES: PeerNames = {
  events: new Map(),
  idOf: () => undefined,
  variablesOf: () => null,
  hasWhole: () => false,
  isRefused: () => false,
}

/** The VID of the status variable ControlState (SEMI E30). */
export const controlStateId = (names: PeerNames): string | undefined =>
  names.idOf('variables', 'ControlState')

/** A value that `String` makes a text of. */
export interface TextValue {
  toString(): string
}

/** An event report as S6F11 carries it, or as S6F13 does. */
export interface EventReport {
  readonly CEID: TextValue
  readonly REPORTS: readonly {
    readonly RPTID: TextValue
    readonly V?: readonly TextValue[]
    readonly VALUES?: readonly { readonly VID: TextValue; readonly V: TextValue }[]
  }[]
}

/** What an event report that has just come says of a variable; undefined when it is not known to hold it. */
export function valueIn({ REPORTS }: EventReport, vid: string, names: PeerNames): TextValue | undefined {
  for (const { RPTID, V, VALUES } of REPORTS) {
    const annotated = VALUES?.find(({ VID }) => String(VID) === vid)
    if (annotated) return annotated.V
    const vids = names.variablesOf(String(RPTID), Number.MAX_SAFE_INTEGER)
    if (vids && vids.length === V?.length && vids.includes(vid)) return V[vids.indexOf(vid)]
  }
  return undefined
}

/** Names that equipment gives to events which change its control state, without case and punctuation. */
const CONTROL_EVENT =
  /^(gem)?(controlstate.*|(equipment|host)?(offline|online)(local|remote)?|(equipment)?(local|remote)(mode)?)(changed?|event)?$/

/** Whether an event of this name seems to be about the control state: reason enough to ask, not to believe. */
export const isControlEvent = (name: string): boolean =>
  CONTROL_EVENT.test(name.replace(/[^a-z]/gi, '').toLowerCase())

/** The same of an event that came. */
export function hintsAtControlState({ CEID }: EventReport, names: PeerNames): boolean {
  const event = names.events.get(String(CEID))
  return event !== undefined && isControlEvent(event.name)
}
