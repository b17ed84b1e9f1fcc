import type { endpoints } from '../../contract/endpoints.js'
import type { JsonObject } from '../../kit/text/json.js'
import { SERVICE_EXAMPLES } from './openapi-service-examples.js'
import { SETUP_EXAMPLES } from './openapi-setup-examples.js'

/** A body that works, for each endpoint that takes one. */
export const EXAMPLES: { readonly [Name in keyof typeof endpoints]?: JsonObject } = {
  login: { email: 'admin@localhost', password: 'correct horse battery staple' },
  createEquipment: {
    name: 'etcher',
    ip_address: '192.168.0.10',
    port: 5000,
    mode: 'passive',
    device_id: 0,
    session_id: 65535,
  },
  updateEquipment: { port: 5001, timers: { t3: 60 } },
  sendCommand: { command: 'START', parameters: { LOTID: 'L1', PPID: 'R7' } },
  ...SERVICE_EXAMPLES,
  ...SETUP_EXAMPLES,
  sendMessage: { stream: 1, function: 3, wait_for_reply: true, data: { SVID: ['1', '2'] } },
  acknowledgeAlarm: { comment: 'Door closed, chamber checked.' },
  createUser: {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'operator',
    password: 'correct horse battery staple',
  },
  changeOwnPassword: {
    current_password: 'correct horse battery staple',
    new_password: 'a stapled horse battery',
  },
  updateUser: { role: 'engineer' },
}
