import type { DefinitionOrigin } from './definition-origins.js'

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
const NAMELISTS = ['S1F11', 'S1F21', 'S1F23', 'S2F29', 'S5F5'] as const
export type Namelist = (typeof NAMELISTS)[number]

/** The kinds of identifiers that can be found by name. */
export type NamedKind = 'variables' | 'constants' | 'events'

/**
 * What the gateway knows of one equipment from recorded messages, independent of who sent them. Identifiers are
 * decimal text, or the text itself where the equipment uses text. Everything is forgotten, and the reports
 * are unknown, when the equipment comes back with another MDLN or SOFTREV.
 */
export interface EquipmentKnowledge {
  /** From the last S1F13 or S1F14. */
  readonly model: { readonly mdln: string; readonly softrev: string } | null
  /** S1F12 and S1F22, by VID. */
  readonly variables: ReadonlyMap<string, KnownVariable>
  /** S2F30, by ECID. */
  readonly constants: ReadonlyMap<string, KnownConstant>
  /** S1F24, by CEID. */
  readonly events: ReadonlyMap<string, KnownEvent>
  /** S5F6, by ALID. */
  readonly alarms: ReadonlyMap<string, KnownAlarm>
  /** VIDs by RPTID, as last accepted (S2F33), or reported (S2F54). */
  readonly reports: ReadonlyMap<string, readonly string[]>
  /** RPTIDs by CEID, where they are known. */
  readonly links: ReadonlyMap<string, readonly string[]>
  /** Where the definition of a report, or the links of an event, were seen last. */
  originOf(kind: 'reports' | 'events', id: string): DefinitionOrigin
  /** The RPTIDs of an event, as last accepted (S2F33, S2F35), or reported (S2F56); null where that is not known. */
  reportsOf(ceid: string): readonly string[] | null
  /** Whether the event is reported, as last accepted (S2F37), or reported (S2F58); null where that is not known. */
  isEnabled(ceid: string): boolean | null
  /** The VIDs of a report when the message of sequence number `seq` came; null where that is not known. */
  variablesOf(rptid: string, seq: number): readonly string[] | null
  /**
   * The entry with which the equipment came back, since when nothing has shown that the report is still what it was:
   * another host may have defined it anew. Null where there is no such doubt.
   */
  doubtedSince(rptid: string): number | null
  /** The name and unit of a VID: variables and constants share one range of identifiers. */
  named(vid: string): { readonly name: string; readonly unit: string } | undefined
  /**
   * The identifier of a name; without an exact match, that of a name which differs only in case and punctuation.
   * Undefined where several identifiers match.
   */
  idOf(kind: NamedKind, name: string): string | undefined
  /** All identifiers that match the name. */
  idsOf(kind: NamedKind, name: string): readonly string[]
  /** True once the equipment, with its current software, has sent the whole list. */
  hasWhole(list: Namelist): boolean
  /** The equipment, with its current software, does not support this message of a host. */
  isRefused(message: string): boolean
}
