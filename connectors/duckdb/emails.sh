echo "Authorization: Bearer $EMAIL_ANALYTICS_KEY" | curl -fsS -H @- -o emails.parquet "{{address}}/data_api/v1/emails.parquet"
duckdb -c "SELECT year(sent_on) AS year, sum(unique_opens) / sum(recipient_count) AS open_rate
  FROM 'emails.parquet' WHERE unique_opens IS NOT NULL AND recipient_count IS NOT NULL GROUP BY year ORDER BY year"
