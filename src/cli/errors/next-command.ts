import {
  ERRORS,
  type ErrorCode,
  type NextCall,
  type NextCommand,
  type NextOperation,
} from '../../contract/errors.js'
import { commandLine } from '../../explanation/command-line.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Subject } from './subject.js'

/** The commands that make the calls which an error names. */
const COMMANDS: Readonly<Record<NextOperation, NextCommand>> = {
  login: ['login'],
  listEquipment: ['equipment', 'list'],
  getEquipment: ['equipment', 'show', 'EQ'],
  connectEquipment: ['equipment', 'connect', 'EQ'],
  disconnectEquipment: ['equipment', 'disconnect', 'EQ'],
  goOnline: ['equipment', 'online', 'EQ'],
  listMessages: ['messages', 'list'],
  listAlarms: ['alarms', 'list'],
  listRecipes: ['recipes', 'list', 'EQ'],
  listVariables: ['variables', 'list', 'EQ'],
  listConstants: ['constants', 'list', 'EQ'],
  listLimits: ['limits', 'list', 'EQ'],
  listProcessJobs: ['jobs', 'list', 'EQ'],
  listCollectionEvents: ['reports', 'list', 'EQ'],
  requestEventReport: ['reports', 'preview', 'EQ', 'EVENT'],
}

/** The command to try after an error of the gateway, if one helps: the call that the error names, else that of its code. */
export function nextCommand(
  code: ErrorCode,
  [call]: readonly NextCall[],
  { equipment = call?.parameters?.id, message, server, dialled }: Subject,
): string | undefined {
  // It is being connected: the reason why that takes long is found at its address.
  if (code === 'equipment_not_connected' && dialled !== undefined)
    return `secsctl equipment test ${shellWord(dialled)}`
  const { hint, kind, commands } = ERRORS[code]
  const ofCode = { command: commands[0], explain: ['explain', code] as const, none: undefined }[hint]
  const command = call ? COMMANDS[call.operation] : ofCode
  if (!command || (command.includes('SxFy') && message === undefined)) return undefined
  const line = commandLine(command, {
    ...(equipment !== undefined && { equipment }),
    ...(message !== undefined && { message }),
  })
  return kind === 'access' && hint === 'command' ? line + (server?.flags ?? '') : line
}
