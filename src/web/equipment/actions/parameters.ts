/**
 * Parameters of a command, one in a line: `LOTID=L1` is text, `SLOTS:=25` is JSON. Throws with the line that is neither.
 */
export function parametersIn(text: string): Record<string, unknown> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', sign, value = ''] = /^\s*([^=:\s][^=]*?)\s*(:?=)(.*)$/.exec(line) ?? []
      if (sign === undefined) throw new SyntaxError(`"${line.trim()}" is not NAME=VALUE`)
      return [name, sign === '=' ? value : jsonIn(line, value)]
    }),
  )
}

function jsonIn(line: string, value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new SyntaxError(`"${line.trim()}": what follows := is not JSON`)
  }
}
