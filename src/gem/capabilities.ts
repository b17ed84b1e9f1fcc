import type { MessageFrom } from '../catalogue/known-message.js'

type Asked = readonly MessageFrom<'host'>[]

/** GEM's capabilities (SEMI E30), each with the messages of a host that belong to it. */
export const CAPABILITY_MESSAGES = {
  online_identification: ['S1F1'],
  host_control: ['S1F15', 'S1F17'],
  status_data: ['S1F3', 'S1F11'],
  namelists: ['S1F21', 'S1F23'],
  equipment_constants: ['S2F13', 'S2F15', 'S2F29'],
  clock: ['S2F17', 'S2F31'],
  trace: ['S2F23'],
  loopback: ['S2F25'],
  dynamic_reports: ['S2F33', 'S2F35'],
  event_reports: ['S2F37', 'S6F15', 'S6F17', 'S6F19', 'S6F21'],
  annotated_reports: ['S6F17', 'S6F21'],
  multi_block: ['S2F39'],
  remote_control: ['S2F21', 'S2F41', 'S2F49'],
  enhanced_commands: ['S2F49'],
  spooling: ['S2F43', 'S2F59', 'S6F23'],
  limits: ['S2F45', 'S2F47'],
  alarms: ['S5F3', 'S5F5', 'S5F7'],
  process_programs: ['S7F1', 'S7F3', 'S7F5', 'S7F17', 'S7F19', 'S7F23', 'S7F25', 'S7F31', 'S7F33'],
  formatted_programs: ['S7F23', 'S7F25', 'S7F31'],
  terminal: ['S10F3', 'S10F5', 'S10F9'],
} as const satisfies Readonly<Record<string, Asked>>

export type Capability = keyof typeof CAPABILITY_MESSAGES

export const CAPABILITIES = Object.keys(CAPABILITY_MESSAGES) as readonly Capability[]
