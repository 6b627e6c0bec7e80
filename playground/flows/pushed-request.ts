/** Pushed authorization requests (RFC 9126): the browser carries a reference that it cannot read. */
import type { Flow, RequestRow } from '../flow.ts'
import { codeForm, gallery, photoPrinter, readStep, token } from './rows.ts'

const refused = (client_id: string, request_uri: string): RequestRow => ({
  line: 'GET /authorize',
  query: { client_id, request_uri },
  status: 400,
})

export const pushedRequestFlow: Flow = {
  name: 'pushed-request',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    {
      name: 'push',
      send: [
        {
          line: 'POST /par',
          as: photoPrinter,
          form: {
            response_type: 'code',
            redirect_uri: '{callback}',
            scope: 'photos:read',
            state: '{state}.ask-pushed',
          },
          status: 201,
          learn: { request_uri: 'request_uri' },
        },
      ],
    },
    { name: 'ask-pushed', visit: { client_id: photoPrinter.id, request_uri: '{request_uri}' } },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange', send: [token(photoPrinter, codeForm('{callback}'))] },
    readStep,
  ],
  attacks: [
    { name: 'changed-request-uri', send: [refused(photoPrinter.id, '{request_uri}x')] },
    { name: 'foreign-request-uri', send: [refused(gallery.id, '{request_uri}')] },
    {
      name: 'used-request-uri',
      send: [refused(photoPrinter.id, '{request_uri}')],
      needs: ['code_verifier'],
    },
  ],
}
