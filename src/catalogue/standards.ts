/** A standard and its messages, for readers of that standard. */
export interface Standard {
  /** Such as `E87`. */
  readonly name: string
  readonly subject: string
  /** A message, or the first and the last of several: `S3F17-S3F32`. None where a standard has none of its own. */
  readonly messages: readonly string[]
  readonly note?: string
}

const standard = (name: string, subject: string, messages: string, note?: string): Standard => ({
  name,
  subject,
  messages: messages === '' ? [] : messages.split(/\s+/),
  ...(note && { note }),
})

/** SEMI's standards that name messages, or say how others' messages are used. */
export const STANDARDS: readonly Standard[] = [
  standard(
    'E30',
    'GEM, the generic equipment model',
    `S1F1-S1F4 S1F11-S1F18 S1F21-S1F24 S2F13-S2F18 S2F21-S2F26 S2F29-S2F50 S5F1-S5F8 S6F1-S6F2 S6F5-S6F6
     S6F11-S6F24 S7F1-S7F6 S7F17-S7F20 S7F23-S7F30 S7F37-S7F44 S9F1-S9F13 S10F1-S10F10`,
  ),
  standard('E32', 'material movement', 'S4F19-S4F41'),
  standard('E39', 'object services', 'S14F1-S14F28'),
  standard('E40', 'process jobs', 'S16F1-S16F26 S16F29-S16F30'),
  standard('E41', 'exceptions', 'S5F9-S5F18'),
  standard('E42', 'recipes', 'S15F1-S15F54 S6F25-S6F26'),
  standard('E53', 'event reporting', 'S17F1-S17F14 S6F27-S6F30'),
  standard('E87', 'carriers and load ports', 'S3F17-S3F32'),
  standard(
    'E90',
    'substrate tracking',
    '',
    'No messages of its own: state changes are events (S6F11), substrates and locations are objects (S14F1, S14F3).',
  ),
  standard(
    'E94',
    'control jobs',
    'S16F27-S16F28',
    'A control job is an object: created by S14F9, deleted by S14F11, asked for by S14F1, changed by S14F3.',
  ),
  standard('E99', 'readers and writers of carrier IDs', 'S18F1-S18F16'),
  standard('E109', 'reticles and pods', 'S3F33-S3F36'),
  standard(
    'E116',
    'equipment performance tracking',
    '',
    'No messages of its own: state changes are events (S6F11), trackers are objects with attributes (S14F1, S14F3).',
  ),
  standard('E139', 'recipes as process definition elements', 'S19F1-S19F20'),
  standard(
    'E157',
    'module process tracking',
    '',
    'No messages of its own: state changes are events (S6F11).',
  ),
  standard('E170', 'recipes in sessions', 'S20F1-S20F34'),
]
