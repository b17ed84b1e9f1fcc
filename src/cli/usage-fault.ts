/** What oclif says of wrong arguments, as one sentence in our own manner. */
export function usageFault(message: string): string {
  const plain = message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: oclif dims parts of it on a terminal
    .replace(/\x1b\[\d+m/g, '')
    .replace(/\n?See more help with --help\s*$/, '')
    .trim()
  const [, flag, expected] = /^Parsing (--[\w-]+)\s+Expected (.+)$/s.exec(plain) ?? []
  if (flag !== undefined && expected !== undefined) return `${flag}: expected ${expected}`
  const faults = plain.replace(/^The following errors? occurred:\n/, '').split('\n')
  if (faults.length === plain.split('\n').length) return plain
  return faults
    .map((line) => line.trim().replace(/^Missing required flag (\S+)$/, 'the flag --$1 is required'))
    .join('; ')
}
