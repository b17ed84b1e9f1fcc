import { Agent, request } from 'node:http'
import { endpoints } from '../../src/contract/endpoints.js'

/** Values as they stand in a URL: what parsers, databases, files, terminals and JavaScript objects take for something else. */
export const HOSTILE_VALUES: readonly string[] = [
  '',
  '%00',
  'a%00b',
  '1.5',
  '1e400',
  '1e5',
  '-0',
  '-1',
  '0x10',
  '9007199254740993',
  '99999999999999999999',
  '9'.repeat(400),
  'NaN',
  '%ED%A0%80',
  '%FF',
  '%',
  '%E2%80%AE',
  '%0D%0A',
  '%2F',
  '..%2F..%2Fetc',
  '.',
  '__proto__',
  'constructor',
  'toString',
  "'%3B--",
  '%5C',
  '%25',
  '*'.repeat(200),
  'x'.repeat(3000),
]

export interface HostileCall {
  readonly name: string
  readonly method: string
  readonly path: string
}

/** They end the token that makes the calls, or try passwords, which is slow on purpose. */
const LEFT_OUT = ['logout', 'login', 'changePassword']
/** So many hostile calls are followed by one that has nothing wrong, and leaves an entry in the audit beside theirs. */
const BETWEEN_GOOD = 20

/** Every endpoint with each of its path and query members hostile in turn. `id`: of equipment that is there. */
export function hostileCalls(id: string): readonly HostileCall[] {
  const ids: Readonly<Record<string, string>> = { id }
  const good = { name: 'good', method: 'POST', path: `/api/v1/equipment/${id}/disconnect` }
  const calls = Object.entries(endpoints).flatMap(([name, { method, path, query }]) => {
    if (LEFT_OUT.includes(name)) return []
    const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, member = '']) => member)
    const pathOf = (given: Readonly<Record<string, string>>): string =>
      `/api/v1${path.replace(/\{(\w+)\}/g, (_, member: string) => given[member] ?? 'x')}`
    // A call that changes something is about what is not there.
    const own = method === 'GET' ? ids : { id: 'eq_none' }
    const inPath = members.flatMap((member) =>
      HOSTILE_VALUES.map((value) => ({ name, method, path: pathOf({ ...own, [member]: value }) })),
    )
    const asked = Object.keys((query as { properties?: object }).properties ?? {})
    const inQuery = [...asked, '__proto__'].flatMap((member) =>
      HOSTILE_VALUES.map((value) => ({ name, method, path: `${pathOf(own)}?${member}=${value}` })),
    )
    return [...inPath, ...inQuery]
  })
  return calls.flatMap((call, at) => (at % BETWEEN_GOOD === 0 ? [call, good] : [call]))
}

/** At once, so that what is recorded together has the records of others in it. */
const AT_ONCE = 16

/** Makes the calls: those that were answered with a status of 500 or more, or not at all. */
export async function failuresOf(
  url: string,
  token: string,
  calls: readonly HostileCall[],
): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const { hostname, port } = new URL(url)
  const failures: string[] = []
  const make = ({ name, method, path }: HostileCall): Promise<void> =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const asked = request({ hostname, port, method, path, agent, headers }, (answer) => {
        const { statusCode = 0 } = answer
        if (statusCode < 500) {
          // A stream has no end.
          if (/event-stream|ndjson/.test(answer.headers['content-type'] ?? '')) asked.destroy()
          else answer.resume()
          answer.once('close', resolve)
          return
        }
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.once('end', () => {
          failures.push(`${name} ${method} ${path.slice(0, 120)}: ${statusCode} ${text.slice(0, 300)}`)
          resolve()
        })
      })
      asked.on('error', (error) => {
        if (!asked.destroyed || error.message !== 'aborted')
          failures.push(`${name} ${method} ${path.slice(0, 120)}: ${error.message}`)
        resolve()
      })
      asked.end(method === 'GET' || method === 'DELETE' ? undefined : '{}')
    })
  const left = [...calls]
  const work = async (): Promise<void> => {
    for (let call = left.pop(); call; call = left.pop()) await make(call)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  agent.destroy()
  return failures
}
