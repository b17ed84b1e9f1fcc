import type { ControlState } from '../contract/equipment.js'
import type { Role } from '../contract/roles.js'
import type { ToolState } from './gateway/tool-state.js'

/** Every text that the page shows, for translation. Numbers and times are formatted by the browser's language. */

const several = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

const STATES: Readonly<Record<ToolState | 'nodata', string>> = {
  alarm: 'Alarm',
  failing: 'Failing',
  disconnected: 'No connection',
  connecting: 'Connecting',
  degraded: 'Degraded',
  offline: 'Offline',
  local: 'Local',
  online: 'Online',
  remote: 'Remote',
  disabled: 'Switched off',
  nodata: 'No data',
}

const CONTROL: Readonly<Record<ControlState, string>> = {
  UNKNOWN: 'Control state unknown',
  EQUIPMENT_OFFLINE: 'Offline (equipment)',
  ATTEMPT_ONLINE: 'Attempts online',
  HOST_OFFLINE: 'Offline (host)',
  ONLINE_LOCAL: 'Online local',
  ONLINE_REMOTE: 'Online remote',
}

const CONTROL_WORD: Readonly<Record<ControlState, string>> = {
  UNKNOWN: '',
  EQUIPMENT_OFFLINE: 'Offline',
  ATTEMPT_ONLINE: 'Attempts online',
  HOST_OFFLINE: 'Offline',
  ONLINE_LOCAL: 'Local',
  ONLINE_REMOTE: 'Remote',
}

const ROLES: Readonly<Record<Role, string>> = {
  viewer: 'viewer',
  operator: 'operator',
  engineer: 'engineer',
  admin: 'administrator',
}

export const texts = {
  product: 'secsctl',
  title: (page: string) => `${page} · secsctl`,
  skip: 'Skip to the content',
  navigation: 'Pages',
  utc: (time: string) => `${time} UTC`,

  pages: { wall: 'Wall', alarms: 'Alarms', events: 'Events', equipment: 'Equipment', api: 'API' },
  unknownPage: 'There is no such page',
  toWall: 'Go to the wall',
  failed: (reason: string) => `This did not work: ${reason}`,
  unreachable: 'the gateway does not respond',
  tryAgain: 'Try again',
  csv: { button: 'CSV', title: 'Save these rows as a file for a spreadsheet' },

  login: {
    heading: 'Log in',
    email: 'Email',
    password: 'Password',
    key: 'API key',
    withPassword: 'Email and password',
    withKey: 'API key',
    how: 'Log in with',
    submit: 'Log in',
    keyHelp: 'For a wall screen: an API key with the role viewer. It stays until this tab is closed.',
    expired: 'Your session has ended. Log in again to continue here.',
    refused: 'The email or the password is wrong.',
    keyRefused: 'The gateway does not accept this API key.',
    tooMany: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    unreachable: 'The gateway does not respond. Try again in a moment.',
  },
  session: {
    as: (name: string, role: Role) => `${name}, ${ROLES[role]}`,
    login: 'Log in',
    logout: 'Log out',
    theme: 'Light or dark',
  },

  shortcuts: {
    heading: 'Keys',
    jump: 'Go to equipment',
    keys: [
      ['Ctrl K', 'Go to equipment by its name or a label'],
      ['W', 'Wall'],
      ['A', 'Alarms'],
      ['E', 'Events'],
      ['/', 'Search on this page, where it has a search'],
      ['?', 'Show these keys'],
    ],
  },

  live: {
    connecting: 'Connecting',
    live: 'Live',
    lost: 'Reconnecting',
    silent: (seconds: number) => `No data from the gateway for ${span(seconds)}`,
    shownSince: 'What is shown is from',
    standby: 'This gateway is in standby: it shows what is recorded, and is not connected to equipment.',
    newVersion: 'The gateway has a new version of this page.',
    reload: 'Load it',
  },

  states: STATES,
  control: CONTROL,
  controlWord: CONTROL_WORD,
  health: { ok: 'Healthy', degraded: 'Degraded', failing: 'Failing' },

  deleted: (id: string) => `deleted (${id})`,
  filter: {
    label: 'Label',
    chooseLabel: 'All',
    labelled: (label: string, value: string) => `${label} ${value}`,
    remove: 'Remove this filter',
  },

  alarms: {
    list: 'Open alarms',
    show: 'Show',
    shown: { open: 'Open', unacknowledged: 'Not acknowledged', active: 'Active' },
    search: 'Search alarms',
    count: (shown: number, open: number) =>
      `${several(shown, 'alarm', 'alarms')}, ${open.toLocaleString()} not acknowledged`,
    columns: ['State', 'Equipment', 'Alarm', 'Set', 'Acknowledged'],
    select: 'Select',
    selectAll: (count: number) => `Select all ${count.toLocaleString()}`,
    selectOne: (equipment: string, text: string) => `Select ${equipment}: ${text}`,
    acknowledge: 'Acknowledge',
    acknowledgeOne: (equipment: string, text: string) => `Acknowledge ${equipment}: ${text}`,
    acknowledgeThese: (count: number) => `Acknowledge ${several(count, 'alarm', 'alarms')}`,
    andMore: (count: number) => `and ${count.toLocaleString()} more`,
    comment: 'Comment (optional)',
    cancel: 'Cancel',
    result: (done: number, before: number) =>
      before === 0
        ? `${several(done, 'alarm', 'alarms')} acknowledged.`
        : `${several(done, 'alarm', 'alarms')} acknowledged; ${before.toLocaleString()} had been acknowledged before.`,
    readOnly: 'Acknowledging needs the role operator.',
    leftOut: (count: number) =>
      `${several(count, 'alarm', 'alarms')} that nobody has acknowledged and that ${count === 1 ? 'is' : 'are'} not active any more ${count === 1 ? 'is' : 'are'} left out: the oldest. Every active alarm is shown.`,
    incomplete: (names: string) =>
      `Too many alarms were active at once on ${names}: of its active alarms, the oldest may be left out. Those of other equipment are all shown.`,
    active: 'Active',
    cleared: 'Cleared',
    clearedAt: 'cleared',
    notYet: 'Not yet',
    alid: (alid: string) => `ALID ${alid}`,
    times: (count: number) => `${count.toLocaleString()} times`,
    none: 'No alarm is open.',
    noMatch: 'No alarm matches.',
    moreRows: (count: number) => `Show more (${count.toLocaleString()})`,
    fresh: (count: number) => `${several(count, 'new alarm', 'new alarms')} when the pointer leaves the list`,
  },
  pareto: {
    heading: 'Today',
    total: (count: number, isCut: boolean) =>
      `${isCut ? 'more than ' : ''}${several(count, 'alarm', 'alarms')}`,
    by: 'Count by',
    byAlarm: 'By alarm',
    byEquipment: 'By equipment',
    percent: (share: number) => `${Math.round(share * 100)} %`,
    cumulative: 'Share of this and all above',
    search: (label: string) => `Search for ${label}`,
    more: (count: number) => `and ${several(count, 'other', 'others')}`,
  },

  events: {
    types: { connection: 'Connection', state: 'State', alarm: 'Alarm', message: 'Message' },
    type: 'Type',
    equipment: 'Equipment',
    allEquipment: 'All equipment',
    pause: 'Pause',
    resume: 'Continue',
    fresh: (count: number) => `${count.toLocaleString()} new`,
    older: 'Load older events',
    none: 'No event matches.',
    gap: 'The stream could not be resumed, and the list was read again.',
    link: (id: string) => `Link to event ${id}`,
    only: (id: string) => `Events up to event ${id}`,
    live: 'Show live events',
    gone: (id: string) => `There is no event ${id} any more, or you may not see it.`,
    columns: ['Time', 'Type', 'Equipment', 'What happened', 'Id'],
    names: {
      connecting: 'Connecting',
      listening: 'Listening',
      connected: 'Connected',
      selected: 'Selected',
      deselected: 'Deselected',
      disconnected: 'Disconnected',
      attempt_failed: 'Attempt to connect failed',
      alarm_set: 'Alarm set',
      alarm_cleared: 'Alarm cleared',
      alarm_acknowledged: 'Alarm acknowledged',
      communication_state: 'Communication',
      control_state: 'Control',
      reports: 'Event reports',
      message_sent: 'Sent',
      message_received: 'Received',
      message_ended: 'Ended',
    } as Readonly<Record<string, string>>,
    showData: 'Details',
  },

  equipment: {
    unknown: (id: string) => `There is no equipment ${id}, or you may not see it.`,
    lanes: { connection_state: 'Connection', communication_state: 'Communication', control_state: 'Control' },
    health: 'Health',
    lastError: 'Last error',
    address: 'Address',
    model: 'Model',
    connectedSince: 'Connected since',
    states: 'States',
    range: 'Time that is shown',
    hours: (count: number) => several(count, 'hour', 'hours'),
    allEvents: 'All events',
    segment: (state: string, from: string, to: string) => `${state}, ${from} to ${to}`,
    laneSpoken: (lane: string, state: string, since: string, changes: number) =>
      `${lane}: ${state} since ${since}, ${several(changes, 'change', 'changes')}`,
    cut: 'There were more changes than are shown: the earliest are left out.',
    values: 'Values',
    variables: 'Variables that are shown',
    otherVariable: 'Other variable',
    chooseVariable: 'Choose',
    noValues: 'No report, trace or reading had a number in this time.',
    valuesCut: 'There are more values than are shown: the earliest are left out.',
    summary: (last: string, least: string, greatest: string, count: number) =>
      `last ${last}, ${least} to ${greatest}, ${several(count, 'value', 'values')}`,
    earlier: 'Earlier',
    later: 'Later',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    wholeTime: 'Whole time',
    messages: 'Messages',
    noMessages: 'No message yet.',
    traffic: 'Traffic',
    since: 'since',
    received: 'Received',
    sent: 'Sent',
    open: 'Waiting for a reply',
    connects: 'Connections',
    attemptsFailed: 'Failed attempts',
    roundTrip: 'Mean reply time',
    none: 'none',
    milliseconds: (ms: number) => `${ms.toLocaleString(undefined, { maximumSignificantDigits: 3 })} ms`,
    faults: 'Timeouts and lost connections',
    kinds: 'Most frequent messages',
    timer: (timer: string) => (timer === 'dial' ? 'Attempt to connect' : timer.toUpperCase()),
    ways: { in: 'received', out: 'sent' },
  },
  actions: {
    heading: 'Actions',
    titleOf: (action: string, equipment: string) => `${action}: ${equipment}`,
    names: {
      connect: 'Connect',
      disconnect: 'Disconnect',
      online: 'Go online',
      offline: 'Go offline',
      command: 'Remote command',
      recipe: 'Select recipe',
      read: 'Read variables',
      terminal: 'Terminal text',
      send: 'Send a message',
      lock: 'Lock',
      unlock: 'Unlock',
    },
    fields: {
      command: 'Command (RCMD)',
      parameters: 'Parameters, one in a line: LOTID=L1 is text, SLOTS:=25 is JSON (optional)',
      ppid: 'Recipe (PPID)',
      variables: 'Names or SVIDs, with commas between; all when left empty',
      text: 'Text for the operator',
      tid: 'Terminal (TID); 0 is the main one',
      sml: 'Message as SML',
      minutes: 'For how many minutes',
      why: 'Why, for those who are refused',
    },
    reason: 'Reason, for the audit (optional)',
    willSend: 'This message will be sent',
    busy: 'Waiting for the reply',
    send: 'Send',
    cancel: 'Cancel',
    close: 'Close',
    done: 'Done.',
    refused: 'Refused.',
    noReply: 'The message has no reply.',
    notReadable: 'the reply has no code that can be read',
    replied: (what: string, code: string) => `${what}: ${code}`,
    values: (count: number) => several(count, 'value', 'values'),
    connecting: 'The gateway connects to the equipment, and tries again until it is connected.',
    disconnected: 'The gateway has disconnected, and does not connect again by itself.',
    locked: (until: string) => `Until ${until}, only you can change the equipment and send messages to it.`,
    lockTime: (most: number) => `the time has to be 1 to ${most} minutes`,
    unsure:
      'The connection to the gateway was lost before the result came: it may have been done. Once the gateway is there again, the same button shows the result and does nothing twice.',
    unlocked: 'The lock is released.',
    lockedBy: (who: string, why: string) => `Locked by ${who}: ${why}`,
  },
  api: {
    search: 'Search the API',
    count: (count: number) => several(count, 'operation', 'operations'),
    contents: 'Contents',
    schemas: 'Schemas',
    required: 'required',
    noMatch: 'No operation matches.',
    parameters: 'Parameters',
    body: 'Body',
    responses: 'Responses',
    tryIt: 'Try it',
    tryOf: (operation: string) => `Try ${operation}`,
    token: 'Token',
    sessionToken: 'that of this session',
    copy: 'Copy',
    copied: 'Copied',
    sure: 'This call changes something at the gateway or in equipment.',
    send: (method: string) => `Send ${method}`,
    stop: 'Stop',
    status: (status: number, text: string, ms: number) =>
      `${status}${text && ` ${text}`}, ${ms.toLocaleString()} ms`,
    headers: 'Headers',
    response: 'Response',
    cut: 'The response is longer than is shown.',
    dotted:
      'a browser removes "." and ".." from a path, so this call cannot be made here; the curl command can make it',
  },
  explain: {
    button: (word: string) => `Explain ${word}`,
    unknown: 'There is no explanation of this word.',
    close: 'Close',
  },

  wall: {
    heading: 'Wall',
    search: 'Search equipment',
    groupBy: 'Group by',
    noGroup: 'Nothing',
    group: (label: string, value: string) => `${label} ${value}`,
    urgent: (count: number) => `${count.toLocaleString()} in alarm`,
    leftOut: (count: number) =>
      `${several(count, 'alarm', 'alarms')} not active any more ${count === 1 ? 'is' : 'are'} left out`,
    moreAlarms: (count: number) => `and ${several(count, 'more alarm', 'more alarms')}`,
    without: (label: string) => `Without ${label}`,
    states: 'Show only',
    all: 'All',
    tools: (count: number) => several(count, 'equipment', 'equipment'),
    shown: (shown: number, all: number) =>
      shown === all
        ? several(all, 'equipment', 'equipment')
        : `${shown.toLocaleString()} of ${all.toLocaleString()} equipment`,
    none: 'There is no equipment yet. Register it with "secsctl equipment add".',
    noMatch: 'No equipment matches.',
    reset: 'Show all',
    perMinute: (count: number) => `${count.toLocaleString()}/min`,
    perMinuteSpoken: (count: number) => `${count} messages per minute`,
    silentFor: (seconds: number) => `silent for ${span(seconds)}`,
    beginsWith: (shared: string) => `${shared}…`,
    ppid: 'PPID',
    lot: 'Lot',
    activeAlarms: (count: number) => several(count, 'active alarm', 'active alarms'),
    notAcknowledged: (count: number) => `${count.toLocaleString()} not acknowledged`,
    kiosk: 'Full screen',
    leaveKiosk: 'Leave full screen',
    page: (page: number, pages: number) => `${page} of ${pages}`,
    badSelector: (selector: string, why: string) =>
      `The address selects equipment by "${selector}", which cannot be read: ${why}.`,
  },
} as const

/** A duration as people say it. */
export function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (minutes < 120) return `${minutes} min`
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
