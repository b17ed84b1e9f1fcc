import { expect, test } from 'vitest'
import { type CarriedOut, carriedOutBy } from '../../src/contract/carried-out.js'
import type { AnyEndpoint } from '../../src/contract/endpoint.js'
import { endpoints } from '../../src/contract/endpoints.js'

type Name = keyof typeof endpoints

/** Where each endpoint is carried out; those that are not named are the owner's of the equipment in their path. */
const CARRIED_OUT: { readonly [Where in Exclude<CarriedOut, 'owner'>]: readonly Name[] } = {
  site: [
    ...(['login', 'changeOwnPassword'] as const),
    ...(['listSinks', 'getSink', 'createSink', 'updateSink', 'deleteSink', 'testSink'] as const),
    ...(['pauseSink', 'resumeSink', 'listDeadLetters', 'retryDeadLetters'] as const),
  ],
  anywhere: [
    ...(['refresh', 'logout', 'getOwnUser', 'getOwnKey'] as const),
    ...(['getSignOn', 'beginDeviceSignOn', 'beginPageSignOn', 'exchangePageSignOn'] as const),
    ...(['exchangeDeviceSignOn', 'refreshSignOn', 'endSignOn'] as const),
    ...(['listUsers', 'getUser', 'createUser', 'updateUser', 'deleteUser'] as const),
    ...(['listKeys', 'getKey', 'createKey', 'revokeKey'] as const),
    ...(['listEquipment', 'getEquipment', 'createEquipment', 'applyEquipment'] as const),
    ...([
      'getReports',
      'listTraces',
      'listVariableHistory',
      'listSubstrateHistory',
      'getPerformance',
      'previewMessage',
    ] as const),
    ...([
      'listMessages',
      'getMessage',
      'listAlarms',
      'getAlarmSummary',
      'listShelvedAlarms',
      'acknowledgeAlarm',
      'acknowledgeAlarms',
    ] as const),
    ...(['listEvents', 'streamEvents', 'exportJournal', 'listAudit'] as const),
    ...(['listKnownCarriers', 'listKnownJobs', 'listKnownSubstrates'] as const),
    ...(['listNodes', 'drainNode', 'undrainNode'] as const),
  ],
}

test.each(Object.entries(endpoints) as [Name, AnyEndpoint][])('%s has its place', (name, endpoint) => {
  const [where = 'owner'] = (Object.entries(CARRIED_OUT) as [CarriedOut, readonly Name[]][]).find(
    ([, names]) => names.includes(name),
  ) ?? ['owner']
  expect(carriedOutBy(endpoint)).toBe(where)
})
