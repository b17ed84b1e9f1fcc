/** A standard and its messages, for readers of that standard. */
export interface Standard {
  /** Such as `E87`. */
  readonly name: string
  readonly subject: string
  /** A message, or the first and the last of several: `S3F17-S3F32`. None where a standard has none of its own. */
  readonly messages: readonly string[]
  readonly note?: string
}

/** SEMI's standards that name messages, or say how others' messages are used. */
export const STANDARDS: readonly Standard[] = [
  {
    name: 'E30',
    subject: 'GEM, the generic equipment model',
    messages: [
      'S1F1-S1F4',
      'S1F11-S1F18',
      'S1F21-S1F24',
      'S2F13-S2F18',
      'S2F21-S2F26',
      'S2F29-S2F50',
      'S5F1-S5F8',
      'S6F1-S6F2',
      'S6F5-S6F6',
      'S6F11-S6F24',
      'S7F1-S7F6',
      'S7F17-S7F20',
      'S7F23-S7F30',
      'S7F37-S7F44',
      'S9F1-S9F13',
      'S10F1-S10F10',
    ],
  },
  { name: 'E32', subject: 'material movement', messages: ['S4F19-S4F41'] },
  { name: 'E39', subject: 'object services', messages: ['S14F1-S14F28'] },
  {
    name: 'E40',
    subject: 'process jobs',
    messages: ['S16F1-S16F26', 'S16F29-S16F30'],
  },
  { name: 'E41', subject: 'exceptions', messages: ['S5F9-S5F18'] },
  { name: 'E42', subject: 'recipes', messages: ['S15F1-S15F54', 'S6F25-S6F26'] },
  { name: 'E53', subject: 'event reporting', messages: ['S17F1-S17F14', 'S6F27-S6F30'] },
  { name: 'E87', subject: 'carriers and load ports', messages: ['S3F17-S3F32'] },
  {
    name: 'E90',
    subject: 'substrate tracking',
    messages: [],
    note: 'No messages of its own: state changes are events (S6F11), substrates and locations are objects (S14F1, S14F3).',
  },
  {
    name: 'E94',
    subject: 'control jobs',
    messages: ['S16F27-S16F28'],
    note: 'A control job is an object: created by S14F9, deleted by S14F11, asked for by S14F1, changed by S14F3.',
  },
  { name: 'E99', subject: 'readers and writers of carrier IDs', messages: ['S18F1-S18F16'] },
  { name: 'E109', subject: 'reticles and pods', messages: ['S3F33-S3F36'] },
  {
    name: 'E116',
    subject: 'equipment performance tracking',
    messages: [],
    note: 'No messages of its own: state changes are events (S6F11), trackers are objects with attributes (S14F1, S14F3).',
  },
  { name: 'E139', subject: 'recipes as process definition elements', messages: ['S19F1-S19F20'] },
  {
    name: 'E157',
    subject: 'module process tracking',
    messages: [],
    note: 'No messages of its own: state changes are events (S6F11).',
  },
  { name: 'E170', subject: 'recipes in sessions', messages: ['S20F1-S20F34'] },
]
