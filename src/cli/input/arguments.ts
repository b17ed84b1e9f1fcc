import { Args } from '@oclif/core'
import { switchFlag } from './flags.js'

/** An argument that has to be given: oclif would read it from standard input. */
export const required = (description: string) =>
  Args.string({ required: true, ignoreStdin: true, description })

export const optional = (description: string) => Args.string({ ignoreStdin: true, description })

/** The equipment of a command that is about one. */
export const EQUIPMENT_ARGUMENT = required('Its name, its id, or a beginning.')

/** Deletes without a question. */
export const YES = switchFlag('Do not ask.', { char: 'y' })

/** The equipment of a command that is about several. */
export const SEVERAL_EQUIPMENT = optional("Names, ids, beginnings of them, or patterns such as 'etch-*'.")

/** The recipe of a command that is about one. */
export const RECIPE_ARGUMENT = required('PPID, exactly as the equipment has it.')
