/** A sentence as it goes on after a colon; an abbreviation such as PPID stays as it is. */
const begunSmall = (text: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** What oclif says of arguments that are missing: their names, each with its description, below a first line. */
function missing(lines: readonly string[]): string {
  const told: string[] = []
  for (const line of lines) {
    const [, name, description = ''] = /^(\S+)(?:\s+(.*))?$/.exec(line) ?? []
    if (line === '' || line.startsWith('Note:')) break
    if (name !== undefined) {
      const what = description === '' ? '' : `: ${begunSmall(description)}`
      told.push(`${name.toUpperCase()} is missing${what}`)
    } else told.push(`${told.pop() ?? ''} ${line.trim()}`)
  }
  return told.join('\n')
}

/** What oclif says of wrong arguments, as one sentence in our own manner. */
export function usageFault(message: string): string {
  const plain = message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: oclif dims parts of it on a terminal
    .replace(/\x1b\[\d+m/g, '')
    .replace(/\n?See more help with --help\s*$/, '')
    .trim()
  const [, flag, why] = /^Parsing (--[\w-]+)\s+(.+)$/s.exec(plain) ?? []
  if (flag !== undefined && why !== undefined) {
    return why.includes(flag) ? why : `${flag}: ${why.replace(/^Expected /, 'expected ')}`
  }
  const lines = plain.split('\n')
  if (/^Missing \d+ required args?:$/.test(lines[0] ?? '')) return missing(lines.slice(1))
  const faults = plain.replace(/^The following errors? occurred:\n/, '').split('\n')
  if (faults.length === lines.length) return plain
  return faults
    .map((line) => line.trim().replace(/^Missing required flag (\S+)$/, 'the flag --$1 is required'))
    .join('; ')
}
