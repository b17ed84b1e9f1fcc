/** How the walk calls a command whose arguments do not tell it, and how it ends where that is not as usual. */
export interface WalkCall {
  /** Instead of the names of the required arguments, with `etcher` for equipment. `FILE(x)` is a file with x in it. */
  readonly args?: readonly string[]
  /** Exit codes: without a server, without a login, and where everything is as it should be. */
  readonly ends?: readonly [silent: number, nobody: number, good: number]
  /** Why it is asked for its help and its wrong usage alone. */
  readonly alone?: string
}

export const USUAL_ENDS = [6, 4, 0] as const
const OFFLINE = [0, 0, 0] as const

/** Commands that are not here need a server and a login, and take their arguments by name. */
export const WALK_CALLS: Readonly<Record<string, WalkCall>> = {
  api: { args: ['GET', '/equipment'] },
  completion: { args: ['bash'], ends: OFFLINE },
  demo: { alone: 'runs a gateway and an equipment of its own' },
  doctor: { alone: 'looks at the whole machine' },
  explain: { args: ['S9F7'], ends: OFFLINE },
  login: { args: ['--email', 'ada@example.com'], ends: [6, 2, 2] },
  logout: { ends: [6, 0, 0] },
  send: { args: ['etcher', 'S1F1'] },
  top: { args: ['--once', '--interval', '200ms'] },
  'alarms disable': { args: ['etcher', '1'] },
  'alarms enable': { args: ['etcher', '1'] },
  'audit tail': { args: ['--count', '1'] },
  'collection-events disable': { args: ['etcher', '1'], ends: [6, 4, 8] },
  'collection-events enable': { args: ['etcher', '1'] },
  'constants read': { args: ['etcher', '1'] },
  'constants set': { args: ['etcher', '1=2'] },
  'daemon doctor': { alone: 'looks at the whole machine' },
  'daemon install': { args: ['--print'], ends: OFFLINE },
  'daemon logs': { alone: 'reads the log of a daemon' },
  'daemon restart': { alone: 'starts a daemon' },
  'daemon run': { alone: 'is a daemon' },
  'daemon start': { alone: 'starts a daemon' },
  'daemon status': { ends: [6, 6, 6] },
  'daemon stop': { ends: OFFLINE },
  'equipment add': { args: ['coater', '--address', '10.0.0.9:5000'] },
  'equipment apply': {
    args: ['--file', 'FILE({"equipment":[{"name":"coater","ip_address":"10.0.0.9","port":5000}]})'],
  },
  'equipment check': { ends: [6, 4, 8] },
  'equipment connect': { args: ['etcher'] },
  'equipment disconnect': { args: ['etcher'] },
  'equipment export': { args: ['etcher'] },
  'equipment offline': { args: ['etcher'] },
  'equipment online': { args: ['etcher'] },
  'equipment remove': { args: ['etcher', '--yes'] },
  'equipment test': { alone: 'dials an address' },
  'equipment update': { args: ['etcher', '--device-id', '7'] },
  'equipment wait': { args: ['etcher', '--for', 'communicating'] },
  'events tail': { args: ['--count', '1'] },
  'journal backup': { alone: 'copies a folder of data' },
  'journal export': { alone: 'reads a folder of data' },
  'journal verify': { alone: 'reads a folder of data' },
  'messages check': { args: ['FILE({"messages":[],"items":[]})'], ends: OFFLINE },
  'messages describe': { args: ['S2F41'], ends: OFFLINE },
  'messages show': { args: ['41'] },
  'profiles add': { args: ['fab', '--url', 'http://x'], alone: 'changes the profiles that the walk uses' },
  'profiles list': { ends: OFFLINE },
  'profiles remove': { args: ['fab', '--yes'], ends: [3, 3, 3] },
  'profiles show': { ends: OFFLINE },
  'profiles use': { args: ['fab'], ends: [3, 3, 3] },
  'recipes delete': { args: ['etcher', 'R1', '--yes'] },
  'recipes store': { args: ['etcher', 'R1', 'FILE(recipe)'] },
  'reports apply': { args: ['etcher', 'FILE(reports: [])'] },
  'reports clear': { args: ['etcher', '--yes'] },
  'simulator fleet': { args: ['1'], alone: 'is a fab of equipment' },
  'simulator models': { ends: OFFLINE },
  'simulator replay': { alone: 'is an equipment' },
  'simulator run': { alone: 'is an equipment' },
  'simulator schema': { ends: OFFLINE },
  'simulator show': { args: ['etcher'], ends: OFFLINE },
  'simulator tell': { alone: 'talks to a simulator' },
  'sml decode': { args: ['FILE(410178)'], ends: OFFLINE },
  'sml encode': { args: ['FILE(<U4 1>)'], ends: OFFLINE },
  'sml format': { args: ['FILE(<U4 1>)'], ends: OFFLINE },
  'traces run': { alone: 'goes on until Ctrl-C' },
  'users add': { args: ['bob@example.com', '--role', 'viewer'], ends: [6, 4, 2] },
  'users passwd': { args: ['ada@example.com'], ends: [6, 4, 2] },
  'users remove': { args: ['ada@example.com', '--yes'] },
  'users update': { args: ['ada@example.com', '--role', 'viewer'] },
  'wire capture': { alone: 'gives bytes of another format than the example' },
  'wire tail': { args: ['etcher', '--count', '1'] },
}
