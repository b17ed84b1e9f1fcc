import type { Recipe } from '../../contract/topics/recipes.js'

/** What a recipe is, a field a line. */
export const recipeFields = ({
  ppid,
  bytes,
  sha256,
  item_format,
  formatted,
}: Recipe): (readonly [string, string])[] => [
  ['PPID', ppid],
  ['bytes', String(bytes)],
  ['SHA-256', sha256],
  ...(item_format === undefined ? [] : [['format', item_format] as const]),
  ...(formatted === null ? [] : [['commands', String(formatted.commands.length)] as const]),
]
