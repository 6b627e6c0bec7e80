# LWP::Authen::OAuth2: a confidential client, its secret in the body. Prints its authorization URL, reads
# the redirect, prints its results.
use strict;
use warnings;
use Digest::SHA qw(sha256);
use JSON qw(decode_json to_json);
use LWP::Authen::OAuth2;
use MIME::Base64 qw(encode_base64url);
use URI;

$| = 1;
my $issuer = $ENV{ISSUER};
my @client = (client_id => 'photo-printer', client_secret => 'photo-printer-secret');
my $oauth2 = LWP::Authen::OAuth2->new(
    @client,
    authorization_endpoint => "$issuer/authorize",
    token_endpoint => "$issuer/token",
    redirect_uri => 'http://127.0.0.1:6750/callback',
    scope => 'photos:read profile',
    authorization_optional_params => [qw(redirect_uri state scope code_challenge code_challenge_method)],
    request_optional_params => [qw(redirect_uri code_verifier)],
);
open(my $random, '<:raw', '/dev/urandom') or die $!;
read($random, my $bytes, 48) == 48 or die 'no random bytes';
my ($verifier, $state) = map { encode_base64url($_) } substr($bytes, 0, 36), substr($bytes, 36);
my $challenge = encode_base64url(sha256($verifier));
my @pkce = (code_challenge => $challenge, code_challenge_method => 'S256');
print $oauth2->authorization_url(state => $state, @pkce), "\n";

my %answer = URI->new(scalar <STDIN> =~ s/\s+$//r)->query_form;
die 'another state' unless $answer{state} eq $state;
$oauth2->request_tokens(code => $answer{code}, code_verifier => $verifier);
my $first = decode_json($oauth2->token_string);
my $photos = $oauth2->get("$issuer/api/photos");
$oauth2->refresh_access_token;
my $again = $oauth2->get("$issuer/api/photos");
my $second = decode_json($oauth2->token_string);
my $revoked = $oauth2->user_agent->post("$issuer/revoke", [@client, token => $second->{refresh_token}]);
my $ended = $oauth2->user_agent->get("$issuer/api/photos", Authorization => "Bearer $second->{access_token}");
my $said = $oauth2->user_agent->post("$issuer/introspect", [@client, token => $second->{access_token}]);
print to_json({
    scope => $first->{scope},
    photos => [$photos->code + 0, $again->code + 0, $ended->code + 0],
    rotated => $first->{refresh_token} ne $second->{refresh_token} ? \1 : \0,
    revoked => [$revoked->code + 0, decode_json($revoked->content)],
    introspected => decode_json($said->content),
}, { canonical => 1 }), "\n";
