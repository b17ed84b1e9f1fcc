import { Args } from '@oclif/core'

/** The PPID of a command that is about one recipe. */
export const RECIPE_ARGUMENT = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'PPID, exactly as the equipment has it.',
})
