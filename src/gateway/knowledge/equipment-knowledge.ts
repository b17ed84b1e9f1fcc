/** A status variable (SVID) or a data variable (DVID). */
export interface KnownVariable {
  readonly name: string
  /** Empty where the equipment gave none. */
  readonly unit: string
  readonly kind: 'status' | 'data'
}

/** An equipment constant; its bounds as text, empty where the equipment gave none. */
export interface KnownConstant {
  readonly name: string
  readonly unit: string
  readonly minimum: string
  readonly maximum: string
  readonly default: string
}

export interface KnownEvent {
  readonly name: string
  /** The data variables that S1F24 names with it. */
  readonly variables: readonly string[]
}

export interface KnownAlarm {
  readonly text: string
  /** ALCD's low seven bits. */
  readonly category: number
}

/** A primary that asks for every name of one kind. */
export const NAMELISTS = ['S1F11', 'S1F21', 'S1F23', 'S2F29', 'S5F5'] as const
export type Namelist = (typeof NAMELISTS)[number]

/** What has names. */
export type NamedKind = 'variables' | 'constants' | 'events'

/**
 * What the gateway has learned of one equipment from messages that passed, whoever sent them. Identifiers are
 * decimal text, or the text itself where the equipment uses text. Everything is forgotten, and the reports
 * are unknown, when the equipment comes back with another MDLN or SOFTREV.
 */
export interface EquipmentKnowledge {
  /** As S1F13 or S1F14 last told it. */
  readonly model: { readonly mdln: string; readonly softrev: string } | null
  /** S1F12 and S1F22, by VID. */
  readonly variables: ReadonlyMap<string, KnownVariable>
  /** S2F30, by ECID. */
  readonly constants: ReadonlyMap<string, KnownConstant>
  /** S1F24, by CEID. */
  readonly events: ReadonlyMap<string, KnownEvent>
  /** S5F6, by ALID. */
  readonly alarms: ReadonlyMap<string, KnownAlarm>
  /** VIDs by RPTID, as last accepted (S2F33), or told (S2F54). */
  readonly reports: ReadonlyMap<string, readonly string[]>
  /** The RPTIDs of an event, as last accepted (S2F33, S2F35), or told (S2F56); null where that is not known. */
  reportsOf(ceid: string): readonly string[] | null
  /** Whether the event is reported, as last accepted (S2F37), or told (S2F58); null where that is not known. */
  isEnabled(ceid: string): boolean | null
  /** The VIDs of a report when the message of sequence number `seq` came; null where that is not known. */
  variablesOf(rptid: string, seq: number): readonly string[] | null
  /** What a VID is called: variables and constants share their identifiers. */
  named(vid: string): { readonly name: string; readonly unit: string } | undefined
  /**
   * The identifier of a name; where none is spelled so, of one that differs in case and punctuation alone.
   * Undefined where several have the name: which is meant is not guessed.
   */
  idOf(kind: NamedKind, name: string): string | undefined
  /** The identifiers of all that the name may mean. */
  idsOf(kind: NamedKind, name: string): readonly string[]
  /** True once the whole list was told by the equipment as it is now. */
  wasTold(list: Namelist): boolean
  /** The equipment, as it is now, has said that it does not know this message of a host. */
  isRefused(message: string): boolean
}
