$headers = @{ Authorization = "Bearer $env:EMAIL_ANALYTICS_KEY" }
Invoke-WebRequest "{{address}}/data_api/v1/emails.csv" -Headers $headers -OutFile emails.csv
Import-Csv emails.csv | Select-Object -First 10 subject, sent_at, open_rate
