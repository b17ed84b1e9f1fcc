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

  pages: { wall: 'Wall', alarms: 'Alarms', events: 'Events', api: 'API' },
  unknownPage: 'There is no such page',
  toWall: 'Go to the wall',
  failed: (reason: string) => `This did not work: ${reason}`,
  unreachable: 'the gateway does not answer',
  tryAgain: 'Try again',

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
    unreachable: 'The gateway does not answer. Try again in a moment.',
  },
  session: {
    as: (name: string, role: Role) => `${name}, ${ROLES[role]}`,
    logout: 'Log out',
    theme: 'Light or dark',
  },

  live: {
    connecting: 'Connecting',
    live: 'Live',
    lost: 'Reconnecting',
    silent: (seconds: number) => `No data from the gateway for ${span(seconds)}`,
    shownSince: 'What is shown is from',
    newVersion: 'The gateway has a new version of this page.',
    reload: 'Load it',
  },

  states: STATES,
  control: CONTROL,
  health: { ok: 'Healthy', degraded: 'Degraded', failing: 'Failing' },

  wall: {
    heading: 'Wall',
    search: 'Search equipment',
    groupBy: 'Group by',
    noGroup: 'Nothing',
    without: (label: string) => `Without ${label}`,
    label: 'Label',
    anyLabel: 'All',
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
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}
