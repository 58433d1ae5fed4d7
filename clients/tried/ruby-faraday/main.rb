require 'faraday'
require 'json'
require_relative '../story'

API = Faraday.new(
  url: "#{ENV.fetch('BASE_URL')}/api/v1/",
  headers: { 'Authorization' => "Bearer #{ENV.fetch('API_KEY')}" }
)
JSON_TYPE = { 'Content-Type' => 'application/json' }.freeze

module Client
  module_function

  def read(response) = [response.status, JSON.parse(response.body)]
  def list(query) = read(API.get('projects', query))
  def create(project) = read(API.post('projects', project.to_json, JSON_TYPE))
  def archive(id) = read(API.post("projects/#{id}/archive"))
  def get(id) = read(API.get("projects/#{id}"))
  def update(id, change) = read(API.patch("projects/#{id}", change.to_json, JSON_TYPE))
end

tell_story(Client)
