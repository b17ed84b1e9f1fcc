import type { Variables } from '../environment.js'

/** Whether the terminal shows more than ASCII, as the environment says. */
export const knowsUnicode = ({ LC_ALL, LC_CTYPE, LANG }: Variables): boolean =>
  process.platform === 'win32' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '')

/** Stands for the rest of a text that was cut; one character wide. */
export const ellipsis = (variables: Variables): string => (knowsUnicode(variables) ? '…' : '~')
