import { primary, secondary } from '../message-row.js'

const ERRORS = '<L ERRORS... <L <ERRCODE> <ERRTEXT>>>'
const CARRIER_RESULT = `<L <CAACK> ${ERRORS}>`
const ATTRIBUTES = '<L ATTRIBUTES... <L <ATTRID> <ATTRDATA>>>'
const PARAMS = '<L PARAMS... <L <PARAMNAME> <PARAMVAL>>>'

/** Stream 3: material status, and carriers (SEMI E87). */
export const STREAM_3 = [
  primary(3, 1, 'Material Status Request', 'host', 'required', { structure: '', source: 'semirs' }),
  secondary(3, 2, 'Material Status Data', 'equipment', {
    structure: '<L <MF> <L LOCATIONS... <L <LOC> <QUA> <MID>>>>',
    source: 'semirs',
  }),
  primary(3, 3, 'Time to Completion Request', 'host', 'required', { structure: '', source: 'semirs' }),
  secondary(3, 4, 'Time to Completion Data', 'equipment', {
    structure: '<L <MF> <L MATERIALS... <L <TTC> <QUA> <MID>>>>',
    source: 'semirs',
  }),
  primary(3, 5, 'Material Found Send', 'equipment', 'optional', {
    structure: '<L <MF> <QUA>>',
    source: 'semirs',
  }),
  secondary(3, 6, 'Material Found Acknowledge', 'host', { structure: '<ACKC3>', source: 'semirs' }),
  primary(3, 7, 'Material Lost Send', 'equipment', 'optional', {
    structure: '<L <MF> <QUA> <MID>>',
    source: 'semirs',
  }),
  secondary(3, 8, 'Material Lost Acknowledge', 'host', { structure: '<ACKC3>', source: 'semirs' }),
  primary(3, 9, 'Material ID Equate Send', 'equipment', 'required', {
    structure: '<L <MID> <EMID>>',
    source: 'semirs',
  }),
  secondary(3, 10, 'Material ID Equate Acknowledge', 'host', { structure: '<ACKC3>', source: 'semirs' }),
  primary(3, 11, 'Material ID Request', 'equipment', 'required', { structure: '<PTN>', source: 'semirs' }),
  secondary(3, 12, 'Material ID Request Acknowledge', 'host', {
    structure: '<L <PTN> <MIDRA> <MID>>',
    source: 'semirs',
  }),
  primary(3, 13, 'Material ID Send', 'host', 'required', { structure: '<L <PTN> <MID>>', source: 'semirs' }),
  secondary(3, 14, 'Material ID Acknowledge', 'equipment', { structure: '<MIDAC>', source: 'semirs' }),
  primary(3, 15, 'Materials Multi-block Inquire', 'host', 'required', {
    structure: '<L <DATAID> <DATALENGTH>>',
    source: 'semirs',
  }),
  secondary(3, 16, 'Materials Multi-block Grant', 'equipment', { structure: '<GRANT>', source: 'semirs' }),
  primary(3, 17, 'Carrier Action Request', 'host', 'required', {
    structure: '<L <DATAID> <CARRIERACTION> <CARRIERID> <PTN> <L ATTRIBUTES... <L <CATTRID> <CATTRDATA>>>>',
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  secondary(3, 18, 'Carrier Action Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  primary(3, 19, 'Cancel All Carrier Out Request', 'host', 'required', {
    structure: '',
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  secondary(3, 20, 'Cancel All Carrier Out Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  primary(3, 21, 'Port Group Definition', 'host', 'required', {
    structure: '<L <PORTGRPNAME> <ACCESSMODE> <L <PTN>...>>',
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  secondary(3, 22, 'Port Group Definition Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  primary(3, 23, 'Port Group Action Request', 'host', 'required', {
    structure: `<L <PGRPACTION> <PORTGRPNAME> ${PARAMS}>`,
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  secondary(3, 24, 'Port Group Action Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'semirs',
    confirmedBy: ['hume'],
  }),
  primary(3, 25, 'Port Action Request', 'host', 'required', {
    structure: `<L <PORTACTION> <PTN> ${PARAMS}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(3, 26, 'Port Action Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(3, 27, 'Change Access', 'host', 'required', {
    structure: '<L <ACCESSMODE> <L <PTN>...>>',
    source: 'bee',
    confirmedBy: ['xcom'],
  }),
  secondary(3, 28, 'Change Access Acknowledge', 'equipment', {
    structure: '<L <CAACK> <L ERRORS... <L <PTN> <ERRCODE> <ERRTEXT>>>>',
    source: 'bee',
    confirmedBy: ['hume', 'xcom'],
  }),
  primary(3, 29, 'Carrier Tag Read Request', 'host', 'required', {
    structure: '<L <LOCID> <CARRIERSPEC> <DATASEG> <DATALENGTH>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(3, 30, 'Carrier Tag Read Data', 'equipment', {
    structure: `<L <DATA> ${CARRIER_RESULT}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(3, 31, 'Carrier Tag Write Data Request', 'host', 'required', {
    structure: '<L <LOCID> <CARRIERSPEC> <DATASEG> <DATALENGTH> <DATA>>',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(3, 32, 'Carrier Tag Write Data Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(3, 33, 'Cancel All Pod Out Request', 'host', 'required', {
    structure: '',
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(3, 34, 'Cancel All Pod Out Acknowledge', 'equipment', {
    structure: CARRIER_RESULT,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  primary(3, 35, 'Reticle Transfer Job Request', 'host', 'required', {
    structure: [
      `<L <JOBACTION> <PODID> <INPTN> <OUTPTN> ${ATTRIBUTES}`,
      `<L REMOVALS... <L <RETICLEID> <RETREMOVEINSTR> ${ATTRIBUTES}>>`,
      '<L PLACEMENTS... <L <RETICLEID> <RETPLACEINSTR>>>>',
    ].join(' '),
    source: 'bee',
    confirmedBy: ['hume'],
  }),
  secondary(3, 36, 'Reticle Transfer Job Acknowledge', 'equipment', {
    structure: `<L <RPMACK> ${ERRORS}>`,
    source: 'bee',
    confirmedBy: ['hume'],
  }),
] as const
