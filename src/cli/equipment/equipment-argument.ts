import { Args } from '@oclif/core'

/** The EQ of a command that is about one equipment. */
export const EQUIPMENT_ARGUMENT = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'Its name, its id, or a beginning.',
})
