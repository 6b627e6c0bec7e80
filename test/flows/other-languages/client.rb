# The gem oauth2: a confidential client, its secret in Basic. Prints its authorization URL, reads the
# redirect, prints its results.
require 'digest'
require 'json'
require 'oauth2'
require 'securerandom'

issuer = ENV.fetch('ISSUER')
callback = 'http://127.0.0.1:6750/callback'
client = OAuth2::Client.new(
  'photo-printer', 'photo-printer-secret',
  site: issuer, authorize_url: '/authorize', token_url: '/token', auth_scheme: :basic_auth,
  raise_errors: false
)
verifier = SecureRandom.urlsafe_base64(48)
state = SecureRandom.hex(16)
puts client.auth_code.authorize_url(
  redirect_uri: callback, scope: 'photos:read profile', state: state,
  code_challenge: Digest::SHA256.base64digest(verifier).tr('+/', '-_').delete('='),
  code_challenge_method: 'S256'
)
$stdout.flush

answer = URI.decode_www_form(URI.parse($stdin.readline.strip).query).to_h
raise 'another state' unless answer.fetch('state') == state

first = client.auth_code.get_token(answer.fetch('code'), redirect_uri: callback, code_verifier: verifier)
photos = first.get('/api/photos')
second = first.refresh!
again = second.get('/api/photos')
basic = { 'Authorization' => OAuth2::Authenticator.encode_basic_auth(client.id, client.secret) }
revoked = client.request(:post, '/revoke', body: { token: second.refresh_token }, headers: basic)
ended = second.get('/api/photos')
refused = client.request(
  :post, '/token', headers: basic,
  body: { grant_type: 'refresh_token', refresh_token: second.refresh_token }
)

puts JSON.generate(
  scope: first.params['scope'],
  photos: [photos.status, again.status, ended.status],
  rotated: first.refresh_token != second.refresh_token,
  revoked: [revoked.status, JSON.parse(revoked.body)],
  refused: JSON.parse(refused.body)['error']
)
